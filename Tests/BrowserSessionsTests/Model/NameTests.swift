import Expectations

@testable import BrowserSessions

/// The texts that name kinds of sessions, sessions and state blobs.
struct NameTests {
    static let legalInBoth = ["a", "z9", "0", "-", "reading-list", "navigation"]
    static let illegalInBoth = ["", "A", "ä", "a b", "a_b", "a/b", "a\0", "a\n", "ａ", "e\u{301}"]

    @Test(arguments: legalInBoth + [String(repeating: "k", count: 32)])
    func legalKinds(text: String) {
        expect(SessionKind(rawValue: text)?.rawValue, is: text)
    }

    @Test(arguments: illegalInBoth + ["a.b", String(repeating: "k", count: 33)])
    func illegalKinds(text: String) {
        expect(SessionKind(rawValue: text) == nil)
    }

    @Test(arguments: legalInBoth + ["a.b", ".", String(repeating: "k", count: 64)])
    func legalStateNames(text: String) {
        expect(StateName(rawValue: text)?.rawValue, is: text)
    }

    @Test(arguments: illegalInBoth + [String(repeating: "k", count: 65)])
    func illegalStateNames(text: String) {
        expect(StateName(rawValue: text) == nil)
    }

    @Test("Known kinds and names are what their text says")
    func knownNames() {
        let kinds: [SessionKind] = [
            .regular, .incognito, .inactive, .recentlyClosed, .setAside, .backup, .launch,
            .transit, .incognitoTransit,
        ]
        expect(kinds.allSatisfy { SessionKind(rawValue: $0.rawValue) == $0 })
        expect(Set(kinds).count, is: 9)
        expect(
            [StateName.navigation, .native].allSatisfy { StateName(rawValue: $0.rawValue) == $0 })
    }

    @Test(
        "A kind's text says in which partition it lives",
        arguments: [
            ("regular", StoragePartition.regular), ("incognito", .incognito),
            ("incognito-", .incognito),
            ("incognito-recently-closed", .incognito), ("incognitos", .regular),
            ("not-incognito", .regular), ("incognit", .regular),
        ])
    func partitions(text: String, partition: StoragePartition) throws {
        let kind = try require(SessionKind(rawValue: text))
        expect(kind.partition, is: partition)
        expect(SessionID(window: WindowID(high: 0, low: 0), kind: kind).partition, is: partition)
    }

    @Test(
        "A kind's text says how its sessions behave",
        arguments: [
            ("regular", SessionKind.Role.window), ("incognito", .window), ("reading-list", .window),
            ("inactive", .companion), ("backup", .companion), ("companion-notes", .companion),
            ("recently-closed", .shelf), ("set-aside", .shelf), ("in-transit", .shelf),
            ("shelf-later", .shelf), ("launch", .notes), ("notes-sync", .notes),
            ("incognito-inactive", .window), ("incognito-recently-closed", .window),
            ("incognito-in-transit", .shelf),
            ("incognito-shelf-x", .shelf), ("incognito-", .window), ("shelf", .window),
            ("companions", .window),
        ])
    func roles(text: String, role: SessionKind.Role) {
        expect(SessionKind(rawValue: text)?.role, is: role)
    }

    @Test func literalsAreKindsAndNames() {
        expect(SessionKind("reading-list").rawValue, is: "reading-list")
        let name: StateName = "scroll.position"
        expect(name.rawValue, is: "scroll.position")
    }

    let uuid = "6B29FC40-CA47-1067-B31D-00DD010662DA"

    @Test func sessionsComeBackFromTheirText() throws {
        let window = try require(WindowID(uuid))
        for text in ["regular", "incognito", "set-aside", "a", "0-0"] {
            let kind = try require(SessionKind(rawValue: text))
            let id = SessionID(window: window, kind: kind)
            expect(id.description, is: "\(uuid)/\(text)")
            expect(SessionID(id.description), is: id)
        }
        expect(SessionID(uuid), is: SessionID(window: window, kind: .regular))
        expect(SessionID(uuid.lowercased() + "/inactive")?.kind, is: .inactive)
    }

    @Test(arguments: [
        "", "/", "/regular", "%/", "%/Regular", "%/regular/", "%//", "%regular", "% ",
    ])
    func otherTextsAreNoSession(pattern: String) {
        expect(SessionID(pattern.replacing("%", with: uuid)) == nil)
    }

    @Test func sessionsOrderByWindowThenKind() {
        func id(_ low: UInt64, _ kind: SessionKind) -> SessionID {
            SessionID(window: WindowID(high: 0, low: low), kind: kind)
        }
        let given = [
            id(2, .inactive), id(1, .regular), id(1, .recentlyClosed), id(1, .incognito),
            id(1, .inactive),
        ]
        let ordered = given.sorted()
        expect(ordered.map(\.window.low), is: [1, 1, 1, 1, 2])
        expect(
            ordered.prefix(4).map(\.kind), is: [.inactive, .incognito, .recentlyClosed, .regular])
    }
}
