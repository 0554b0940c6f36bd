import Expectations
import Foundation
import SessionSamples
import SwiftProtobuf

@testable import BrowserSessions
@testable import StorageEngines

/// The hand-written codec against messages that protoc generated from the published schema.
struct CodecInteropTests {
    /// Values as browsers have them, values from the edges, and one with nothing set.
    static let tabs: [TabMetadata] = {
        var (sampler, extremes) = (SessionSampler(seed: 11), Extremes(seed: 12))
        let real = sampler.window(tabs: 400).tabs.map(\.metadata)
        let blank = TabMetadata(id: TabID(high: 1, low: 2), place: .between(nil, and: nil))
        return real + (0..<200).map { _ in extremes.tab() } + [blank]
    }()

    @Test("A tab has the bytes of the generated message, and comes back from them")
    func tabs() throws {
        for tab in Self.tabs {
            let (own, message) = (tab.encodedPayload(), TabMessage(tab))
            expect(try message.canonicalBytes() == own)
            expect(try TabMessage(serializedBytes: own) == message)
            var back = try Payloads.tab(try message.serializedBytes(), id: tab.id)
            back.place = tab.place
            expect(back, is: tab)
            expect(back.encodedPayload(), is: own)
        }
    }

    @Test("A node has the bytes of the generated message, and comes back from them")
    func nodes() throws {
        var extremes = Extremes(seed: 13)
        for value in (0..<200).map({ _ in extremes.node() }) + [.blank] {
            let (own, message) = (value.encodedPayload(), NodeMessage(value))
            expect(try message.canonicalBytes() == own)
            expect(try NodeMessage(serializedBytes: own) == message)
            expect(try Payloads.node(try message.serializedBytes(), id: value.id) == value)
        }
    }

    @Test("A session's attributes have the bytes of the generated message, and come back")
    func attributes() throws {
        var (sampler, extremes) = (SessionSampler(seed: 21), Extremes(seed: 22))
        let values =
            (0..<60).map { sampler.window(tabs: $0).attributes }
            + (0..<200).map { _ in extremes.attributes() } + [SessionAttributes()]
        for value in values {
            let (own, message) = (value.encodedPayload(), AttributesMessage(value))
            expect(try message.canonicalBytes() == own)
            expect(try AttributesMessage(serializedBytes: own) == message)
            expect(try Payloads.attributes(try message.serializedBytes()) == value)
        }
    }

    @Test("A history has the bytes of the generated message, and comes back")
    func histories() throws {
        var extremes = Extremes(seed: 32)
        let values =
            Self.tabs.prefix(60).map { SampleState.history(of: $0) }
            + (0..<100).map { _ in extremes.history() } + [NavigationHistory()]
        for value in values {
            let (own, message) = (value.encoded(), HistoryMessage(value))
            expect(try message.canonicalBytes() == own)
            expect(try HistoryMessage(serializedBytes: own) == message)
            expect(try Payloads.history(try message.serializedBytes()) == value)
        }
    }

    @Test("A partition's manifest has the bytes of the generated messages, and comes back")
    func manifest() throws {
        for number: UInt32 in [0, 1, 0x7F, .max, 1 << 31] {
            let fingerprint = ~UInt64(number) &* 3
            let manifest = Manifest(records: UInt64(number), fingerprint: fingerprint)
            var message = Browsersessions_V1_Manifest()
            (message.records, message.fingerprint) = (number, fingerprint)
            expect(try message.canonicalBytes() == manifest.encodedPayload())
            expect(try Payloads.manifest(try message.serializedBytes()) == manifest)
        }
        for (checksum, length) in [(UInt32(0), 0), (1, 1), (.max, 16 << 20)] {
            let entry = StateEntry(checksum: checksum, length: length)
            var message = Browsersessions_V1_StateEntry()
            (message.checksum, message.length) = (UInt64(checksum), UInt64(length))
            expect(try message.canonicalBytes() == entry.encodedPayload())
            expect(try Payloads.stateEntry(try message.serializedBytes()) == entry)
        }
        for (time, name, isPinned) in [(Int64(0), "", false), (-1, "before", true)] {
            let point = RestorePoint(
                id: RestorePointID(rawValue: 7), takenAt: Timestamp(microseconds: time),
                reason: .named, name: name, isPinned: isPinned, tabCount: 31, lostTabCount: 9)
            let record = PointRecord(
                point, Manifest(records: 5, fingerprint: .max), count: 77)
            var message = Browsersessions_V1_RestorePoint()
            (message.takenAt, message.reason) = (time, "named")
            (message.name, message.isPinned) = (name, isPinned)
            (message.count, message.tabCount, message.lostTabCount) = (77, 31, 9)
            (message.sums.records, message.sums.fingerprint) = (5, .max)
            expect(try message.canonicalBytes() == record.encodedPayload())
            expect(try Payloads.point(try message.serializedBytes(), number: 7) == record)
        }
    }

    @Test("Losses have the bytes of the generated message, and come back")
    func losses() throws {
        let session = SessionID(window: WindowID(high: 1, low: 2), kind: .inactive)
        let losses = [
            Loss(.tab, session: session, tab: TabID(high: 3, low: 4), detail: "a bit fell over"),
            Loss(.unknownRecords, detail: ""),
            Loss(
                .nodeReplacedByEarlier, session: session, node: NodeID(high: 5, low: 6),
                detail: "another one"),
        ]
        var message = Browsersessions_V1_Losses()
        message.losses = losses.map { loss in
            var entry = Browsersessions_V1_Loss()
            entry.kind = loss.kind.rawValue
            entry.session = loss.session?.description ?? ""
            entry.tab = .init(loss.tab?.bytes ?? [])
            entry.detail = loss.detail
            entry.node = .init(loss.node?.bytes ?? [])
            return entry
        }
        expect(try message.canonicalBytes() == losses.encodedPayload())
        expect(try Payloads.losses(try message.serializedBytes()) == losses)
        expect(try Payloads.losses([]) == [])
    }

    @Test("A kind of loss of a newer version is a loss of unknown extent")
    func unknownLoss() throws {
        var message = Browsersessions_V1_Losses()
        message.losses = [.with { $0.kind = "cosmicRay" }]
        expect(try Payloads.losses(try message.serializedBytes()).map(\.kind) == [.unknownRecords])
    }
}
