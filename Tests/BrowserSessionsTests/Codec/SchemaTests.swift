import Expectations
import Foundation

@testable import BrowserSessions

/// The messages that the codec's tests compare with are those of the published schema.
struct SchemaTests {
    /// A message's fields by number: their form and name, as `Fixed64 checksum`.
    typealias Fields = [Int: String]

    static let here = URL(filePath: #filePath).deletingLastPathComponent()

    func text(_ path: String) throws -> [Substring] {
        let url = Self.here.appending(path: path).standardizedFileURL
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    }

    /// Reads `message`, `repeated`, `map` and fields with numbers: all that the schema uses.
    func published() throws -> [String: Fields] {
        var messages: [String: Fields] = [:]
        var name = ""
        for line in try text("../../../Sources/StorageEngines/Records/records.proto") {
            if let match = line.wholeMatch(of: /message (\w+) \{/) { name = String(match.1) }
            let field = /\s+(repeated )?(map<string, string>|\w+) (\w+) = (\d+);.*/
            guard let match = line.wholeMatch(of: field), let number = Int(match.4) else {
                continue
            }
            let form = form(of: match.2, isRepeated: match.1 != nil)
            expect(messages[name]?[number] == nil, "number \(number) is used twice in \(name)")
            messages[name, default: [:]][number] = "\(form) \(match.3.replacing("_", with: ""))"
        }
        return messages
    }

    private func form(of type: Substring, isRepeated: Bool) -> String {
        if type.hasPrefix("map") { return "Map" }
        let scalars = [
            "string": "String", "bytes": "Bytes", "bool": "Bool", "int32": "Int32",
            "fixed32": "Fixed32", "fixed64": "Fixed64", "sfixed64": "SFixed64",
        ]
        return (isRepeated ? "Repeated" : "Singular") + (scalars[String(type)] ?? "Message")
    }

    func generated() throws -> [String: Fields] {
        var messages: [String: Fields] = [:]
        var name = ""
        for line in try text("../Generated/records.pb.swift") {
            let header = /.*extension Browsersessions_V1_(\w+): SwiftProtobuf.Message.*/
            if let match = line.wholeMatch(of: header) { name = String(match.1) }
            let field =
                /\s+case (\d+): .*decoder\.decode(\w+?)Field\(.*value: &(?:self|_storage)\.(\w+)\).*/
            guard let match = line.wholeMatch(of: field), let number = Int(match.1) else {
                continue
            }
            let bare = match.3.drop { $0 == "_" }.lowercased()
            messages[name, default: [:]][number] = "\(match.2) \(bare)"
        }
        return messages
    }

    @Test func generatedCodeIsOfThisSchema() throws {
        let published = try published()
        expect(published, is: (try generated()))
        expect(published.count, is: 14)
        expect(published["NavigationEntry"]?[10], is: "RepeatedMessage subframes")
    }

    @Test("A record visits the fields of its message, with their numbers and names")
    func recordsVisitTheFields() throws {
        func check<Record: FieldRecord>(_ type: Record.Type) throws {
            var (record, visited) = (Record.blank, VisitedFields())
            record.visitFields(&visited)
            let published = try #require(try published()["\(type)"])
            expect(visited.names.keys.sorted(), is: visited.numbers, "\(type) in order")
            expect(Set(visited.numbers), is: Set(published.keys), "\(type)")
            for (number, name) in visited.names {
                let field = published[number]?.split(separator: " ").last ?? ""
                // An index is written as a number one higher.
                expect(["", "plusone"].contains { field == name.lowercased() + $0 }, "\(name)")
            }
        }
        try check(TabMetadata.self)
        try check(TabOpener.self)
        try check(StructureNode.self)
        try check(PinnedPage.self)
        try check(FormerPlace.self)
        try check(SessionAttributes.self)
        try check(StructureNode.self)
        try check(NavigationHistory.self)
        try check(NavigationEntry.self)
        try check(HTTPHeader.self)
    }
}

/// A visitor that notes the fields, and changes none.
private struct VisitedFields: FieldVisitor {
    typealias Failure = Never

    private(set) var numbers: [Int] = []
    private(set) var names: [Int: String] = [:]

    private mutating func note(_ field: Field) {
        numbers.append(field.number)
        names[field.number] = field.name
    }

    mutating func text(_ field: Field, _ value: inout String) { note(field) }
    mutating func bytes(_ field: Field, _ value: inout [UInt8]) { note(field) }
    mutating func number(_ field: Field, _ value: inout Int32) { note(field) }
    mutating func index(_ field: Field, _ value: inout Int?) { note(field) }
    mutating func flag(_ field: Field, _ value: inout Bool) { note(field) }
    mutating func time(_ field: Field, _ value: inout Timestamp) { note(field) }
    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        note(field)
    }
    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?) {
        note(field)
    }
    mutating func order(_ field: Field, _ value: inout OrderKey) { note(field) }
    mutating func order(_ field: Field, _ value: inout OrderKey?) { note(field) }
    mutating func texts(_ field: Field, _ value: inout [String: String]) { note(field) }
    mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        note(field)
    }
    mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        note(field)
    }
    mutating func unknownFields(_ value: inout [UInt8]) {}
}
