import Expectations
import Foundation
import SwiftProtobuf

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
            let message = try TabMessage(serializedBytes: read.encodedPayload())
            expect([UInt8](message.unknownFields.data), is: newer + newer)
        }
    }

    @Test func opener() throws {
        var message = TabMessage()
        message.orderKey = Data([2])
        message.opener.navigationIndex = 3
        message.opener.tab = .init(TabID(high: 1, low: 2).bytes)
        let bytes = try message.opener.serializedBytes() + newer
        message.opener = try Browsersessions_V1_TabOpener(serializedBytes: bytes)
        let read = try Payloads.tab(try message.serializedBytes())
        expect(try TabMessage(serializedBytes: read.encodedPayload()) == message)
    }

    @Test func attributes() throws {
        var extremes = Extremes(seed: 42)
        for _ in 0..<50 {
            let message = AttributesMessage(extremes.attributes())
            let read = try Payloads.attributes(mixed(try message.serializedBytes()))
            expect(read.unknownFields, is: newer + newer)
            let again = try AttributesMessage(serializedBytes: read.encodedPayload())
            expect([UInt8](again.unknownFields.data), is: newer + newer)
        }
    }

    @Test func history() throws {
        var extremes = Extremes(seed: 43)
        for _ in 0..<30 {
            var message = HistoryMessage(extremes.history())
            message.entries = try message.entries.map {
                try EntryMessage(serializedBytes: mixed($0.serializedBytes()))
            }
            let read = try Payloads.history(mixed(try message.serializedBytes()))
            let again = try HistoryMessage(serializedBytes: read.encoded())
            expect(again.entries, is: message.entries)
            expect([UInt8](again.unknownFields.data), is: newer + newer)
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

    @Test("Values of an open set that this version does not know are kept")
    func openSets() throws {
        var message = NodeMessage()
        message.orderKey = Data(OrderKey.middle.bytes)
        message.kind = "shelf"
        message.color = 999
        let bytes: [UInt8] = try message.serializedBytes()
        let read = try bytes.withUnsafeBytes {
            try StructureNode(id: TabGroupID(high: 0, low: 1), payload: $0)
        }
        expect(read.color.name == nil && read.kind.rawValue == "shelf")
        expect(read.encodedPayload(), is: (try message.canonicalBytes()))
    }
}
