import SessionSamples
import Testing

@testable import BrowserSessions
@testable import StorageEngines

@Suite struct RecordKeyTests {
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
            keys += tabs.map { .tab(session, $0) }
        }
        keys += [StateName.navigation, .native].map { .stateEntry(TabID(high: 0, low: 0), $0) }
        keys += [.generation(1), .generation(.max)]
        return keys
            + keys.flatMap { key -> [RecordKey] in
                switch key {
                case .session, .tab: [.previous(key), .kept(0x0102_0304, key)]
                default: []
                }
            }
    }()

    func read(_ bytes: [UInt8]) -> RecordKey? { bytes.withUnsafeBytes { RecordKey($0) } }

    @Test func everyKeyComesBackFromItsBytes() {
        #expect(Self.kinds.count == 10)
        for key in keys { #expect(read(key.bytes) == key) }
        #expect(Set(keys.map(\.bytes)).count == keys.count)
    }

    @Test("A key has 1 to 256 bytes, as the documentation of engines says")
    func lengths() throws {
        let lengths = keys.map(\.bytes.count)
        #expect(lengths.min() == 1)
        #expect(lengths.max() == 72, "the longest kind, in the previous generation")
        let name = try #require(StateName(rawValue: String(repeating: "n", count: 64)))
        #expect(RecordKey.state(Self.tabs[0], name).count <= 256)
        #expect(RecordKey.stateEntry(Self.tabs[0], name).bytes.count <= 256)
    }

    @Test func keysOfTheStateSpaceComeBack() throws {
        let name = try #require(StateName(rawValue: "a.b-9"))
        for tab in Self.tabs {
            let bytes = RecordKey.state(tab, name)
            let read = try #require(bytes.withUnsafeBytes { RecordKey.stateKey($0) })
            #expect(read.0 == tab && read.1 == name)
            #expect(Array(bytes[..<16]).withUnsafeBytes { RecordKey.stateKey($0) } == nil)
        }
    }

    @Test("Keys that are cut, longer or of another kind are none, or another key's exact bytes")
    func otherBytes() {
        let kept = [RecordKey.Tag.kept, 0, 0, 0, 1]
        for key in keys {
            let bytes = key.bytes
            for end in 0..<bytes.count {
                if let other = read(Array(bytes[..<end])) { #expect(other != key) }
            }
            for tag: UInt8 in [0, 0x20, 0xFF] { #expect(read([tag] + bytes.dropFirst()) == nil) }
            #expect(read(kept + kept + bytes) == nil)
        }
        #expect(read([]) == nil)
        #expect(read(RecordKey.manifest.bytes + [0]) == nil)
        #expect(read(kept + RecordKey.manifest.bytes) == nil)
    }

    @Test("The prefix of a session's tabs finds them and no others")
    func prefixes() {
        for session in Self.sessions {
            let prefix = RecordKey.tabs(of: session)
            let previous = RecordKey.keptTabs(of: session, in: RecordKey.previousNumber)
            for key in keys {
                switch key {
                case .tab(let other, _):
                    #expect(key.bytes.starts(with: prefix) == (other == session))
                case .kept(RecordKey.previousNumber, .tab(let other, _)):
                    #expect(key.bytes.starts(with: previous) == (other == session))
                default:
                    #expect(!key.bytes.starts(with: prefix))
                    #expect(!key.bytes.starts(with: previous))
                }
            }
        }
    }
}
