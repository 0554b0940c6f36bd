import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

@Suite("Archives of Chrome for iOS")
struct ChromeIOSArchiveTests {
    let folder = TemporaryFolder()

    static func read(_ bytes: [UInt8], limits: ImportLimits = ImportLimits()) throws
        -> SourceReading
    {
        try ChromeIOSArchiveReader(path: "session.plist", limits: limits)
            .read(bytes)
    }

    /// The reading of one window; the closure makes its tabs.
    func window(
        selected: Int64 = 0, _ extra: ArchiveWriter.Fields = [],
        tabs: (inout ArchiveWriter) -> [PropertyListValue]
    ) throws -> SourceReading {
        var writer = ArchiveWriter()
        let tabs = tabs(&writer)
        let root = writer.window(tabs, selected: selected, extra)
        return try Self.read(writer.bytes(root: root))
    }

    static let scene = "6D3A2B10-0C6B-4F3E-9E1C-0F8C7A0B1D2E"

    @Test("A window comes out with every field that a session has a place for")
    func fixture() throws {
        try folder.write(try Fixtures.archive(), to: "state/Sessions/\(Self.scene)/session.plist")
        try folder.write([7, 8], to: "state/Web_Sessions/00000102")
        let result = try SessionImporter().read(path: folder.file("state"))
        expect(result.report.sources.map(\.format), is: [.chromeIOSArchive])
        expect(result.report.notes, is: [])
        let session = try require(result.sessions.first)
        let tabs = session.tabs
        expect(session.id.description, is: Self.scene + "/regular")
        expect(tabs.map(\.metadata.title), is: ["One", "Zwei 🍞", "Three", "Four"])
        expect(
            tabs.map(\.metadata.url),
            is: [
                "https://one.example.org/", "https://two.example.org/b",
                "https://three.example.org/", "https://four.example.org/",
            ])
        expect(tabs.map(\.metadata.navigationItemCount), is: [1, 3, 1, 1])
        expect(tabs.map(\.metadata.isPinned), is: [true, false, false, false])
        expect(session.attributes.activeTab, is: tabs[2].metadata.id)
        expect(tabs[2].metadata.opener, is: TabOpener(tab: tabs[1].metadata.id, navigationIndex: 2))
        expect(tabs.filter { $0.metadata.opener != nil }.count, is: 1)
        let group = StructureNode.group(
            id: NodeID(high: 5, low: 10), name: "Reading 📚", color: .blue, isCollapsed: true)
        expect(session.nodes.unplaced, is: [group])
        expect(tabs.map(\.metadata.group), is: [nil, nil, group.id, group.id])
        let time = Int64(1_646_136_000_000_000)
        expect(tabs.allSatisfy { $0.metadata.createdAt == Timestamp(microseconds: time) })
        expect(tabs[0].metadata.lastActiveAt, is: Timestamp(microseconds: time + 101_000_000))
        expect(tabs[1].states[.native] == [7, 8] && tabs[0].states[.native] == nil)
        expect(tabs[0].metadata.properties["chrome-ios.user-agent"], is: "1")
        let problems = try require(result.report.sources.first).problems
        expect(problems.map(\.severity), is: [.note])
        expect(problems[0].message, is: "not taken: certificatePolicyCacheStorage (4)")
    }

    @Test("Histories keep their entries, the current one, times, referrers and headers")
    func histories() throws {
        try folder.write(try Fixtures.archive(), to: "session.plist")
        let result = try SessionImporter().read(path: folder.file("session.plist"))
        let tabs = try require(result.sessions.first).tabs
        let two = try tabs[1].history()
        let time = Int64(1_646_136_000_000_000)
        expect(two.currentIndex == 1 && two.entries.count == 3)
        expect(
            two.entries[1],
            is: NavigationEntry(
                url: "https://two.example.org/b", title: "Zwei 🍞",
                time: Timestamp(microseconds: time + 120_000_000),
                referrer: "https://two.example.org/a", referrerPolicy: 1, userAgent: .desktop,
                requestHeaders: [HTTPHeader(name: "Accept-Language", value: "de")]))
        let three = try tabs[2].history().entries[0]
        expect(three.url, is: "https://three.example.org/real")
        expect(three.displayURL, is: "https://three.example.org/")
    }

    @Test("A file is known by its content, its name or its place; the kind by its place")
    func places() throws {
        let bytes = try Fixtures.archive()
        for name in [
            "state/OTR/Sessions/\(Self.scene)/session.plist",
            "state/Sessions/\(Self.scene)-Inactive/session.plist",
            "state/Backups/\(Self.scene)/session.backup.plist", "elsewhere/kept.bin",
        ] {
            try folder.write(bytes, to: name)
        }
        try folder.write([1, 2], to: "state/OTR/Web_Sessions/00000101")
        expect(
            try SessionFormat.detect(path: folder.file("elsewhere/kept.bin")) == .chromeIOSArchive)
        let result = try SessionImporter().read(path: folder.file("state"))
        expect(
            Set(result.sessions.map(\.id.description)),
            is: [
                Self.scene + "/incognito", Self.scene + "/inactive", Self.scene + "/set-aside",
            ])
        expect(result.report.notes, is: [])
        try folder.write(Golden.empty, to: "state/SessionStorage/scene/session_metadata.pb")
        let both = try SessionImporter().read(path: folder.file("state"))
        expect(both.sessions.count == 4 && both.report.notes == [])
        let other = try SessionImporter().read(path: folder.file("elsewhere"))
        let incognito = try SessionImporter().read(path: folder.file("elsewhere"), incognito: true)
        expect(other.sessions.map(\.id.kind), is: [.regular])
        expect(incognito.sessions.map(\.id.kind), is: [.incognito])
    }

    @Test("A session that was moved to the newer layout keeps its identifiers")
    func moved() throws {
        try folder.write(try Fixtures.archive(), to: "old/Sessions/\(Self.scene)/session.plist")
        var writer = ChromeIOSWriter()
        writer.tabs = [.init(id: 101, title: "One", urls: ["https://one.example.org/"])]
        try writer.write(to: folder, "new/SessionStorage/\(Self.scene)")
        let old = try require(try SessionImporter().read(path: folder.file("old")).sessions.first)
        let new = try require(try SessionImporter().read(path: folder.file("new")).sessions.first)
        expect(old.id == new.id && old.tabs[0].metadata.id == new.tabs[0].metadata.id)
    }

    @Test("Of a session that is there in both layouts the newer one is taken")
    func bothLayouts() throws {
        let archive = try folder.write(
            try Fixtures.archive(), to: "state/Sessions/\(Self.scene)/session.plist")
        try Golden.write(to: folder, "state/SessionStorage/\(Self.scene)")
        let report = try SessionImporter().read(path: folder.file("state")).report
        expect(report.sources.map(\.format), is: [.chromeIOS])
        expect(report.untaken.map(\.path) == [archive] && report.untaken[0].reason == .older)
        let all = try SessionImporter().read(path: folder.file("state"), scope: .everything)
        expect(all.report.sources.count == 2 && all.report.untaken.isEmpty)
        let asked = try SessionImporter().read(path: folder.file("state/"), as: .chromeIOSArchive)
        expect(asked.report.sources.map(\.path), is: [archive])
        expect(asked.report.untaken.map(\.reason), is: [.otherFormat])
        for root in ["state/Sessions", "state/Sessions/\(Self.scene)"] {
            let alone = try SessionImporter().read(path: folder.file(root))
            expect(alone.report.sources.map(\.path), is: [archive])
        }
        let slashes = try SessionImporter().read(path: folder.file("state//"))
        expect(slashes.report.sources.count == 1 && slashes.report.untaken.count == 1)
    }

    @Test("If the newer layout of a session is damaged, the older one is taken")
    func damagedLayout() throws {
        let archive = try folder.write(
            try Fixtures.archive(), to: "state/Sessions/\(Self.scene)/session.plist")
        let directory = "state/SessionStorage/\(Self.scene)"
        try Golden.write(to: folder, directory)
        let metadata = directory + "/session_metadata.pb"
        for bytes in [[], Array(Golden.metadata.dropLast(30))] {
            try folder.write(bytes, to: metadata)
            let report = try SessionImporter().read(path: folder.file("state")).report
            expect(report.sources.map(\.path), is: [archive])
            expect(report.untaken.map(\.path), is: [folder.file(directory)])
            expect(report.untaken.map(\.reason), is: [.damaged])
        }
        try folder.remove(metadata)
        let without = try SessionImporter().read(path: folder.file("state"))
        expect(without.sessions.count == 1 && without.report.sources.map(\.path) == [archive])
        expect(without.report.untaken.map(\.reason), is: [.damaged])
        // A field of a newer browser is no damage.
        try folder.write(Golden.metadata + [0x78, 1], to: metadata)
        let newer = try SessionImporter().read(path: folder.file("state")).report
        expect(newer.sources.map(\.format), is: [.chromeIOS])
        guard geteuid() != 0 else { return }
        chmod(folder.file(metadata), 0)
        let report = try SessionImporter().read(path: folder.file("state")).report
        expect(report.sources.map(\.path), is: [archive])
        expect(report.untaken.map(\.reason), is: [.unreadable])
    }

    @Test("Tabs from before they had numbers have their lasting identifier")
    func oldTabs() throws {
        let id = "1B2C3D4E-0000-4000-8000-000000000001"
        let reading = try window { writer in
            let url = writer.object("NSURL", [("NS.relative", .text("https://old.example/"))])
            let entry = writer.object("CRWSessionEntry", [("virtualUrl", url)])
            let fields: ArchiveWriter.Fields = [
                ("entries", writer.array([entry])), ("currentNavigationIndex", .integer(0)),
                ("serializedUserData", writer.table([("TabId", .text(id))])),
            ]
            let bare: ArchiveWriter.Fields = [("entries", writer.array([entry]))]
            return [
                writer.object("CRWNavigationManagerStorage", fields),
                writer.object("CRWNavigationManagerStorage", bare),
                writer.object("CRWNavigationManagerStorage", bare),
            ]
        }
        let tabs = reading.drafts[0].tabs
        expect(tabs[0].metadata.id.description, is: id)
        expect(tabs.map(\.metadata.url), is: Array(repeating: "https://old.example/", count: 3))
        expect(Set(tabs.map(\.metadata.id)).count, is: 3)
    }

    @Test("A session of several windows gives each of them")
    func windows() throws {
        var writer = ArchiveWriter()
        let windows = [
            writer.window([writer.tab(1, ["https://a.example/"])], selected: 0),
            writer.window([], selected: Int64(Int32.max)), .position(9999),
        ]
        let list = writer.array(windows)
        let root = writer.object("SessionIOS", [("sessionWindows", list)])
        let reading = try Self.read(writer.bytes(root: root))
        expect(reading.drafts.map(\.tabs.count), is: [1, 0])
        expect(Set(reading.drafts.map(\.id)).count, is: 2)
        expect(reading.log.problems.map(\.message), is: ["the window cannot be read"])
    }
}
