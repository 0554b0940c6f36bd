import Expectations

@testable import BrowserSessions

/// What a storage of another package keeps of a record.
struct RecordBytesTests {
    private let session = SessionID(window: WindowID(high: 1, low: 2))

    @Test func aRecordIsReadFromItsBytesWithAllThatANewerVersionWrote() throws {
        var tab = TabMetadata(id: TabID(high: 3, low: 4), place: .middle, url: "https://a.example/")
        var node = StructureNode.group(id: NodeID(high: 5, low: 6), name: "read")
        var former = FormerPlace()
        (former.session, former.reason) = (session.description, "user")
        (tab.closedFrom, node.closedFrom) = (former, former)
        let newer: [UInt8] = [0x90, 0x03, 7]
        (tab.unknownFields, node.unknownFields) = (newer, newer)
        let attributes = SessionAttributes(title: "work", properties: ["a": "b"])
        for record in [
            .session(session, attributes), .tab(tab, in: session), .node(node, in: session),
        ] as [SessionRecord] {
            let bytes = record.encoded()
            expect(try SessionRecord(record.item, in: session, encoded: bytes) == record)
            let error = expect(throws: StorageError.self) {
                try SessionRecord(record.item, in: session, encoded: bytes + [0xFF])
            }
            expect(error?.code, is: .corrupted)
        }
    }
}
