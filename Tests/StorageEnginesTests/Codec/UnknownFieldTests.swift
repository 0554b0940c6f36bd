import Expectations

@testable import BrowserSessions

/// A newer version may have written fields that this one does not know: they are kept.
struct UnknownFieldTests {
    let newer = WireWriter.newerFields

    /// The bytes around and amid which a newer writer put fields of its own.
    func mixed(_ known: [UInt8]) -> [UInt8] { newer + known + newer }

    @Test func tab() throws {
        var extremes = Extremes(seed: 41)
        for _ in 0..<50 {
            let tab = extremes.tab()
            let read = try Payloads.tab(mixed(tab.encodedPayload()))
            expect(read.unknownFields, is: newer + newer)
            expect(read.encodedPayload(), is: tab.encodedPayload() + newer + newer)
            let message = try SchemaMessage("TabMetadata", decoding: read.encodedPayload())
            expect(message.unknownFields, is: newer + newer)
        }
    }

    @Test func opener() throws {
        var opener = SchemaMessage(TabOpener(tab: TabID(high: 1, low: 2), navigationIndex: 3))
        opener = try SchemaMessage("TabOpener", decoding: mixed(opener.bytes))
        let message = SchemaMessage(
            "TabMetadata", ["order_key": .bytes([2]), "opener": .messages([opener])])
        let read = try Payloads.tab(message.bytes)
        expect(try SchemaMessage("TabMetadata", decoding: read.encodedPayload()) == message)
    }

    @Test func attributes() throws {
        var extremes = Extremes(seed: 42)
        for _ in 0..<50 {
            let message = SchemaMessage(extremes.attributes())
            let read = try Payloads.attributes(mixed(message.bytes))
            expect(read.unknownFields, is: newer + newer)
            let again = try SchemaMessage("SessionAttributes", decoding: read.encodedPayload())
            expect(again.unknownFields, is: newer + newer)
        }
    }

    @Test func history() throws {
        var extremes = Extremes(seed: 43)
        for _ in 0..<30 {
            var message = SchemaMessage(extremes.history())
            if case .messages(let entries)? = message["entries"] {
                message["entries"] = .messages(
                    try entries.map {
                        try SchemaMessage("NavigationEntry", decoding: mixed($0.bytes))
                    })
            }
            let read = try Payloads.history(mixed(message.bytes))
            let again = try SchemaMessage("NavigationHistory", decoding: read.encoded())
            expect(again["entries"], is: message["entries"])
            expect(again.unknownFields, is: newer + newer)
        }
    }

    @Test("A known field of another wire type is kept as unknown")
    func otherWireType() throws {
        var writer = WireWriter()
        writer.order(1, .middle)
        writer.int32(2, 5)
        let read = try Payloads.tab(writer.bytes)
        expect(read.url.isEmpty)
        expect(read.encodedPayload(), is: writer.bytes)
    }
}
