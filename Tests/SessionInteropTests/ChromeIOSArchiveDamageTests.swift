import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// What is missing, wrong, in circles, too much, cut or changed.
extension ChromeIOSArchiveTests {
    @Test("Missing fields cost what they held, and those that matter are reported")
    func missing() throws {
        var writer = ArchiveWriter()
        let tab = writer.object("CRWSessionStorage", [("uniqueIdentifier", .integer(4))])
        let blank = writer.object("CRWNavigationItemStorage", [])
        let other = writer.object(
            "CRWSessionStorage",
            [("entries", writer.array([blank])), ("uniqueIdentifier", .integer(5))])
        let root = writer.object("SessionWindowIOS", [("sessions", writer.array([tab, other]))])
        let reading = try Self.read(writer.bytes(root: root))
        expect(reading.drafts[0].tabs.count, is: 2)
        expect(reading.drafts[0].attributes.activeTab == nil)
        let messages = reading.log.problems.map(\.message)
        expect(messages.contains("the history is missing"))
        expect(messages.contains("the entry has no address"))
        expect(messages.contains("the selected tab cannot be read; none is active"))
        expect(messages.contains { $0.hasPrefix("the current entry is out of range") })
        let none = writer.object("SessionWindowIOS", [("selectedIndex", .integer(0))])
        let bare = try Self.read(writer.bytes(root: none)).log.problems.map(\.message)
        expect(bare.contains("the list of tabs is missing"))
        expect(bare.contains("a tab was selected, but none is there"))
    }

    @Test("Values of another type and positions out of range cost themselves alone")
    func wrongTypes() throws {
        let reading = try window(selected: 3) { writer in
            let text = writer.add(.text("no number"))
            let good = writer.entry("https://a.example/")
            let bad = writer.entry(
                "https://b.example/", [("timestamp", text), ("httpHeaders", text)])
            let entries = writer.array([.position(60_000), bad, .integer(3), good, text])
            return [
                .position(60_000), .bool(true),
                writer.tab(
                    1, ["https://c.example/"], data: [("PinnedState", .text("yes"))],
                    [("creationTime", text), ("stableIdentifier", .bytes([0xFF]))]),
                writer.object(
                    "CRWSessionStorage",
                    [
                        ("entries", entries), ("uniqueIdentifier", .integer(2)),
                        ("lastCommittedItemIndex", .integer(2)), ("serializedUserData", text),
                    ]),
                writer.tab(
                    3, ["https://d.example/"],
                    data: [("OpenerIndex", .integer(3)), ("OpenerNavigationIndex", .integer(1))]),
                writer.tab(
                    4, ["https://e.example/"],
                    data: [("OpenerIndex", .integer(0)), ("OpenerNavigationIndex", .integer(1))]),
            ]
        }
        let draft = try require(reading.drafts.first)
        expect(draft.tabs.map(\.metadata.url).first, is: "https://c.example/")
        expect(draft.tabs.count, is: 4)
        expect(draft.attributes.activeTab, is: draft.tabs[1].metadata.id)
        expect(draft.tabs[2].metadata.opener?.tab, is: draft.tabs[1].metadata.id)
        expect(draft.tabs[3].metadata.opener == nil)
        let history = try require(draft.tabs[1].history)
        expect(history.entries.map(\.url), is: ["https://b.example/", "https://a.example/"])
        expect(history.currentIndex, is: 0)
        let places = reading.log.problems.map(\.location)
        for place in [
            "item 0", "item 1", "item 2, PinnedState", "item 2, creationTime",
            "item 3, serializedUserData", "item 3, entry 0", "item 3, entry 1, timestamp",
            "item 3, entry 1, httpHeaders", "item 3, entry 2", "item 3, entry 4",
        ] {
            expect(places.contains("session.plist, " + place), "\(place)")
        }
    }

    @Test("A field without a readable name is reported")
    func namelessField() throws {
        var writer = ArchiveWriter()
        let root = writer.window([writer.tab(1, ["https://a.example/"])], selected: 0)
        var bytes = writer.bytes(root: root)
        let wide: [UInt8] = [0x65, 0, 0x74, 0, 0x69, 0, 0x74, 0, 0x6C, 0, 0x65]
        let place = try require(bytes.indices.first { bytes[$0...].starts(with: wide) })
        // Bytes instead of a text.
        bytes[place] = 0x45
        let reading = try Self.read(bytes)
        expect(reading.drafts[0].tabs.map(\.metadata.url), is: ["https://a.example/"])
        expect(reading.log.problems.map(\.message), is: ["1 values have no name that can be read"])
        expect(reading.log.hasLoss)
    }

    @Test("Objects that hold themselves end where the wrong kind is met")
    func circles() throws {
        var writer = ArchiveWriter()
        // Positions: 1 the class, 2 the window, with itself as its list; 3 names itself.
        writer.objects += [
            .dictionary([("$classname", .text("SessionWindowIOS"))]),
            .dictionary([
                ("$class", .position(1)), ("sessions", .position(2)),
                ("selectedIndex", .position(3)), ("tabGroups", .position(4)),
            ]),
            .position(3), .dictionary([("NS.objects", .array([.position(4), .position(2)]))]),
        ]
        let reading = try Self.read(writer.bytes(root: .position(2)))
        expect(reading.drafts.map(\.tabs.count), is: [0])
        let places = Set(reading.log.problems.map(\.location))
        expect(
            places.isSuperset(of: [
                "session.plist, sessions", "session.plist, selectedIndex", "session.plist, group 0",
            ]))
        // A tab that is its own class. Its history is a list that holds itself and the tab.
        var other = ArchiveWriter()
        other.objects += [
            .dictionary([
                ("$class", .position(1)), ("entries", .position(2)), ("title", .position(1)),
                ("serializedUserData", .position(1)), ("stableIdentifier", .position(2)),
            ]), .dictionary([("NS.objects", .array([.position(2), .position(1)]))]),
        ]
        let root = other.window([.position(1)], selected: 0)
        let tab = try require(try Self.read(other.bytes(root: root)).drafts.first?.tabs.first)
        expect(tab.history?.entries.isEmpty, is: true)
    }

    @Test("Indexes out of range, twins and late pins are put right and reported")
    func repairs() throws {
        let reading = try window(selected: 77) { writer in
            [
                writer.tab(1, ["https://a.example/"], current: -1),
                writer.tab(1, ["https://b.example/"], data: [("PinnedState", .bool(true))]),
                writer.tab(-5, ["https://c.example/"]),
                writer.tab(
                    3, ["https://d.example/"],
                    data: [("OpenerIndex", .integer(9)), ("OpenerNavigationIndex", .integer(0))]),
                writer.tab(4, ["https://e.example/"], data: [("OpenerIndex", .integer(0))]),
            ]
        }
        let draft = try require(reading.drafts.first)
        expect(draft.tabs.map(\.history?.entries.count), is: [1, 1, 1, 1, 1])
        expect(Set(draft.tabs.map(\.metadata.id)).count, is: 5)
        expect(draft.tabs.allSatisfy { !$0.metadata.isPinned && $0.metadata.opener == nil })
        expect(draft.attributes.activeTab == nil)
        expect(reading.log.problems.count, is: 6)
        expect(reading.log.problems.allSatisfy { $0.severity == .repair })
    }

    @Test("What is no archive, or one of something else, is a typed error")
    func foreign() throws {
        func code(_ bytes: [UInt8]) throws -> StorageError.Code {
            try refusal { try Self.read(bytes) }.code
        }
        var writer = ArchiveWriter()
        let root = writer.object("NSBookmark", [("title", .text("x"))])
        expect(try code(writer.bytes(root: root)) == .incompatibleFormat)
        expect(try code(writer.bytes(root: .text("x"))) == .incompatibleFormat)
        let plain = PropertyListValue.dictionary([("sessions", .array([]))])
        expect(try code(PropertyListWriter.bytes(of: plain)) == .incompatibleFormat)
        expect(try code(PropertyListWriter.bytes(of: .bool(true))) == .incompatibleFormat)
        expect(try code([]) == .corrupted)
        expect(try code(Array("bplist00".utf8) + Array(repeating: 0, count: 32)) == .corrupted)
        let path = try folder.write(PropertyListWriter.bytes(of: plain), to: "settings.plist")
        expect(try SessionFormat.detect(path: path) == nil)
        try folder.write([], to: "state/Sessions/x/session.plist")
        let error = try refusal { try SessionImporter().read(path: folder.file("state")) }
        expect(error.code, is: .corrupted)
    }

    @Test("Values over the limit are left out and reported, also when they are shared")
    func limits() throws {
        let cut = try Self.read(try Fixtures.archive(), limits: .with(\.maximumParts, 250))
        expect(cut.drafts[0].tabs.count < 4 && cut.log.hasLoss)
        let error = try refusal {
            try Self.read(try Fixtures.archive(), limits: .with(\.maximumParts, 3))
        }
        expect(error.code, is: .tooLarge)
        // Ten thousand times the same text of ten thousand letters.
        var writer = ArchiveWriter()
        let url = writer.add(.text(String(repeating: "x", count: 10_000)))
        let entry = writer.object("CRWNavigationItemStorage", [("urlString", url)])
        let entries = writer.array(Array(repeating: entry, count: 200))
        let tab = writer.object("CRWSessionStorage", [("entries", entries)])
        let root = writer.window(Array(repeating: tab, count: 50), selected: 0)
        let shared = try Self.read(
            writer.bytes(root: root), limits: .with(\.maximumFileBytes, 1_000_000))
        let read = shared.drafts[0].tabs.reduce(0) { $0 + ($1.history?.entries.count ?? 0) }
        expect(read < 100 && shared.log.hasLoss)
    }

    @Test("A file that was cut anywhere is an error, never an empty session")
    func cuts() throws {
        let bytes = try Fixtures.archive()
        for count in stride(from: 0, to: bytes.count, by: TestRun.amount(5, nightly: 1)) {
            expect(throws: StorageError.self, "cut at \(count)") {
                try Self.read(Array(bytes.prefix(count)))
            }
        }
    }

    @Test("With any byte changed a reading ends, and is never clean and empty")
    func changedBytes() throws {
        let bytes = try Fixtures.archive()
        for index in stride(from: 0, to: bytes.count, by: TestRun.amount(3, nightly: 1)) {
            // At night 34 of the 255 changes of each byte, others at the next.
            let more = stride(from: 1 + index % 8, to: TestRun.amount(0, nightly: 256), by: 8)
            for mask in ([0xFF, 1 << (index % 8)] + more).map(UInt8.init) {
                var damaged = bytes
                damaged[index] ^= mask
                guard let reading = try? Self.read(damaged) else { continue }
                let tabs = reading.drafts.reduce(0) { $0 + $1.tabs.count }
                expect(tabs > 0 || reading.log.hasLoss, "byte \(index), mask \(mask)")
            }
        }
    }
}
