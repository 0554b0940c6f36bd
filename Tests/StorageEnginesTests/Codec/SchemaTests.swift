import Expectations

@testable import BrowserSessions

/// The records are those of the published schema.
struct SchemaTests {
    @Test("Every message is read, and no number of a field is used twice")
    func messages() {
        expect(Schema.messages.count, is: 14)
        for (name, fields) in Schema.messages {
            expect(Set(fields.map(\.number)).count == fields.count, "\(name)")
        }
        let subframes = Schema.messages["NavigationEntry"]?.first { $0.number == 10 }
        expect(subframes?.type == "NavigationEntry" && subframes?.isRepeated == true)
    }

    @Test("A record visits the fields of its message, with their numbers and names")
    func recordsVisitTheFields() throws {
        func check<Record: FieldRecord>(_ type: Record.Type) throws {
            var (record, visitor) = (Record.blank, SchemaVisitor(SchemaMessage("\(type)")))
            record.visitFields(&visitor)
            let published = try require(Schema.messages["\(type)"])
            expect(visitor.names.map(\.number), is: published.map(\.number), "\(type) in order")
            for (field, visited) in zip(published, visitor.names) {
                expect(Schema.matches(field, visited.name), "\(type): \(visited.name)")
            }
        }
        try check(TabMetadata.self)
        try check(TabOpener.self)
        try check(StructureNode.self)
        try check(PinnedPage.self)
        try check(FormerPlace.self)
        try check(SessionAttributes.self)
        try check(NavigationHistory.self)
        try check(NavigationEntry.self)
        try check(HTTPHeader.self)
    }
}
