import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

struct RecordKeyTests {
    static let kinds: [SessionKind] =
        [.regular, .incognito, .inactive, .recentlyClosed, .setAside]
        + ["a", "ab", "reading-list", "incognito-private", String(repeating: "z", count: 32)]
        .compactMap { SessionKind(rawValue: $0) }
    static let sessions = kinds.flatMap { kind in
        [(0, 0), (0, 1), (1, 0), (.max, .max)].map { high, low in
            SessionID(window: WindowID(high: high, low: low), kind: kind)
        }
    }
    static let tabs = [
        TabID(high: 0, low: 0), TabID(high: 1, low: 0x0200), TabID(high: .max, low: 1),
    ]

    let keys: [RecordKey] = {
        var keys: [RecordKey] = [.manifest, .losses, .commit(CommitID(high: 0, low: 9))]
        keys += sessions.map { .session($0) }
        for session in sessions {
            keys += tabs.map { .record(.tab($0), in: session) }
            keys += tabs.map { .record(.node(NodeID($0)), in: session) }
        }
        keys += [StateName.navigation, .native].map { .stateEntry(TabID(high: 0, low: 0), $0) }
        return keys + numbers.map { .point($0) }
    }()

    static let numbers = [0, 1, StoredNumber.limit - 1].compactMap { StoredNumber($0) }

    /// The keys of the state space.
    var stateKeys: [StateKey] {
        let names = ["a", "a-", "navigation", String(repeating: "n", count: 64)]
            .compactMap { StateName(rawValue: $0) }
        let blobs = Self.tabs.flatMap { tab in
            names.flatMap { name in Self.numbers.map { .blob(tab, name, set: $0) as StateKey } }
        }
        return blobs
            + keys.filter(\.hasVersions).flatMap { record in
                Self.numbers.flatMap { point in
                    [true, false].map { .version(record, point: point, isGone: $0) as StateKey }
                }
            }
    }

    func read(_ bytes: [UInt8]) -> RecordKey? { bytes.withUnsafeBytes { RecordKey($0) } }

    @Test func everyKeyComesBackFromItsBytes() {
        expect(Self.kinds.count, is: 10)
        for key in keys { expect(read(key.bytes), is: key) }
        expect(Set(keys.map(\.bytes)).count, is: keys.count)
    }

    @Test("A key has 1 to 256 bytes, as the documentation of engines says")
    func lengths() throws {
        let lengths = keys.map(\.bytes.count)
        expect(lengths.min(), is: 1)
        expect(lengths.max(), is: 67, "a tab in a session of the longest kind")
        expect(stateKeys.allSatisfy { (18...256).contains($0.bytes.count) })
    }

    @Test func keysOfTheStateSpaceComeBack() {
        let keys = stateKeys
        for key in keys { expect(key.bytes.withUnsafeBytes { StateKey($0) }, is: key) }
        expect(Set(keys.map(\.bytes)).count, is: keys.count)
        for key in keys {
            let bytes = key.bytes
            for end in 0..<bytes.count {
                let other = Array(bytes[..<end]).withUnsafeBytes { StateKey($0) }
                if let other { expect(other != key) }
            }
            for tag: UInt8 in [0, 0x6D, 0xFF] {
                expect(([tag] + bytes.dropFirst()).withUnsafeBytes { StateKey($0) } == nil)
            }
        }
        let manifest = [StateKey.Tag.version] + RecordKey.manifestBytes
        expect((manifest + [0, 0, 0, 0, 0, 0, 0, 1, 1]).withUnsafeBytes { StateKey($0) } == nil)
    }

    @Test("The versions of a record are adjacent, in the order of their points")
    func versionsAreInOrder() {
        let versions = stateKeys.filter { if case .version = $0 { true } else { false } }
        let sorted = versions.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
        var seen: [RecordKey] = []
        var last: StoredNumber?
        for bytes in sorted {
            guard case .version(let record, let point, _)? = bytes.withUnsafeBytes({ StateKey($0) })
            else { continue }
            if record == seen.last {
                expect(last.map { $0 <= point } ?? false)
            } else {
                expect(!seen.contains(record))
                seen.append(record)
            }
            last = point
        }
        expect(seen.count, is: keys.count { $0.hasVersions })
    }

    @Test("A version has the checksum of its record")
    func frameKeys() {
        for key in stateKeys {
            let bytes = key.bytes
            let own: [UInt8] =
                if case .version(let record, _, _) = key { record.bytes } else { bytes }
            expect(bytes.withUnsafeBytes { [UInt8](StateKey.frameKey($0)) }, is: own)
        }
    }

    @Test("Keys that are cut, longer or of another kind are none, or another key's exact bytes")
    func otherBytes() {
        for key in keys {
            let bytes = key.bytes
            for end in 0..<bytes.count {
                if let other = read(Array(bytes[..<end])) { expect(other != key) }
            }
            for tag: UInt8 in [0, 0x20, 0xFF] { expect(read([tag] + bytes.dropFirst()) == nil) }
        }
        expect(read([]) == nil)
        expect(read(RecordKey.manifest.bytes + [0]) == nil)
        expect(read([RecordKey.Tag.point] + [UInt8](repeating: 0xFF, count: 8)) == nil)
    }

    @Test("The prefix of a session's tabs finds them and no others")
    func prefixes() {
        for session in Self.sessions {
            let prefix = RecordKey.tabs(of: session)
            for key in keys {
                switch key {
                case .record(.tab, let other):
                    expect(key.bytes.starts(with: prefix), is: (other == session))
                default: expect(!key.bytes.starts(with: prefix))
                }
            }
        }
    }
}
