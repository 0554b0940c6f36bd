import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import TestSupport

/// Directories with the golden bytes of the design, which an independent encoder made.
enum Golden {
    static let metadata = bytes(
        """
        0a3608e9071a310a0908a287efe493ddda17120908a287efe493ddda171a170a0141121268747470733a2f2f612e
        6578616d706c652f20010a3808ea0712001a310a0908a287efe493ddda17120908a287efe493ddda171a170a0142
        121268747470733a2f2f622e6578616d706c652f20020a3608eb071a310a0908a287efe493ddda17120908a287ef
        e493ddda171a170a0143121268747470733a2f2f632e6578616d706c652f20031001180122130a04080110021201
        47180120012a0408071009
        """)
    static let data = bytes(
        """
        1801222612240a1268747470733a2f2f612e6578616d706c652f1a0141220908a287efe493ddda172802
        """)
    static let empty = bytes("10ffffffffffffffffff01")

    private static func bytes(_ digits: String) -> [UInt8] {
        (try? [UInt8](hexadecimal: digits)) ?? []
    }

    /// A session with the three tabs; the second and third have histories of their own.
    static func write(to folder: TemporaryFolder, _ name: String = "scene") throws {
        try folder.write(metadata, to: name + "/session_metadata.pb")
        try folder.write(data, to: name + "/000003e9/data.pb")
        let writer = ChromeIOSWriter()
        for (id, letter, count) in [(Int32(1002), "b", 2), (1003, "c", 3)] {
            let urls = (0..<count).map { "https://\(letter).example/\($0 == count - 1 ? "" : "x")" }
            let tab = ChromeIOSWriter.Tab(id: id, title: letter.uppercased(), urls: urls)
            let directory = name + "/" + ChromeIOSWriter.directoryName(id)
            try folder.write(writer.data(tab), to: directory + "/data.pb")
        }
        try folder.write([1, 2, 3], to: name + "/000003e9/state.pb")
    }
}

@Suite("Chrome for iOS")
struct ChromeIOSTests {
    let folder = TemporaryFolder()

    private func read(_ name: String = "scene") throws -> SessionImport {
        try SessionImporter().read(path: folder.file(name))
    }

    @Test("The golden session comes out with every field")
    func golden() throws {
        try Golden.write(to: folder)
        let result = try read()
        let session = try require(result.sessions.first)
        expect(result.sessions.count, is: 1)
        expect(result.report.sources.first?.problems, is: [])
        expect(session.id.kind, is: .regular)
        expect(session.tabs.map(\.metadata.title), is: ["A", "B", "C"])
        expect(session.tabs.map(\.metadata.url).last, is: "https://c.example/")
        expect(session.tabs.map(\.metadata.navigationItemCount), is: [1, 2, 3])
        expect(session.tabs.map(\.metadata.isPinned), is: [true, false, false])
        let time = Timestamp(microseconds: 1_702_400_282_166_178)
        expect(session.tabs.allSatisfy { $0.metadata.createdAt == time })
        expect(session.attributes.activeTab, is: session.tabs[1].metadata.id)
        let group = StructureNode.group(
            id: NodeID(high: 9, low: 7), name: "G", color: .blue, isCollapsed: true)
        expect(session.nodes.unplaced, is: [group])
        expect(session.tabs.map(\.metadata.group), is: [nil, group.id, group.id])
        expect(session.tabs[0].states[.native], is: [1, 2, 3])
        expect(session.tabs[1].states[.native] == nil)
        let entry = NavigationEntry(
            url: "https://a.example/", title: "A", time: time, userAgent: .mobile)
        let history = try session.tabs[0].history()
        expect(history == NavigationHistory(entries: [entry], currentIndex: 0))
    }

    @Test("The bytes 12 00 are an opener: the first tab, its first entry")
    func opener() throws {
        try Golden.write(to: folder)
        let tabs = try require(try read().sessions.first).tabs
        expect(tabs[1].metadata.opener, is: TabOpener(tab: tabs[0].metadata.id, navigationIndex: 0))
        expect(tabs[0].metadata.opener == nil)
        expect(tabs[2].metadata.opener == nil)
    }

    @Test("An empty session is empty and sound")
    func empty() throws {
        try folder.write(Golden.empty, to: "scene/session_metadata.pb")
        let result = try read()
        expect(result.sessions.map(\.tabs.count), is: [0])
        expect(result.report.sources.first?.problems, is: [])
    }

    @Test("An empty and a missing list are rebuilt from the directories, and are damage")
    func withoutList() throws {
        try Golden.write(to: folder)
        for isThere in [true, false] {
            try folder.write([], to: "scene/session_metadata.pb")
            if !isThere { try folder.remove("scene/session_metadata.pb") }
            let result = try read()
            expect(result.report.isDamaged)
            expect(
                result.sessions.first?.tabs.map(\.metadata.url),
                is: ["https://a.example/", "https://b.example/", "https://c.example/"])
        }
    }

    @Test("Tabs that the list does not name are set aside, but not those of a sibling")
    func unlisted() throws {
        try Golden.write(to: folder, "SessionStorage/one")
        try folder.write(Golden.empty, to: "SessionStorage/one/session_metadata.pb")
        var two = ChromeIOSWriter()
        two.tabs = [.init(id: 1002, title: "moved", urls: ["https://b.example/"])]
        try two.write(to: folder, "SessionStorage/two")
        let result = try read("SessionStorage")
        let kinds = result.sessions.map(\.id.kind)
        expect(kinds, is: [.regular, .setAside, .regular])
        expect(result.sessions[1].tabs.map(\.metadata.title), is: ["A", "C"])
        expect(!result.report.isDamaged)
    }

    @Test("Missing and damaged tab files cost the history, not the tab")
    func damagedTabs() throws {
        try Golden.write(to: folder)
        try folder.remove("scene/000003ea/data.pb")
        try folder.write([0xFF, 0xFF, 0x01], to: "scene/000003eb/data.pb")
        let result = try read()
        let session = try require(result.sessions.first)
        expect(session.tabs.map(\.metadata.url).count, is: 3)
        expect(session.tabs[1].states.isEmpty && session.tabs[2].states.isEmpty)
        let places = result.report.sources.flatMap(\.problems).map(\.location)
        expect(places.contains("data.pb of tab 000003ea"))
        expect(places.contains("data.pb of tab 000003eb"))
        expect(result.report.isDamaged)
    }

    @Test("Bad ids, indexes and ranges are put right and reported")
    func repairs() throws {
        var writer = ChromeIOSWriter()
        writer.tabs = [
            .init(id: 0, title: "zero", urls: ["https://zero.example/"]),
            .init(id: -7, title: "negative", urls: ["https://negative.example/"]),
            .init(id: 5, title: "twin", urls: ["https://one.example/"], opener: (9, 0)),
            .init(id: 5, title: "other", urls: ["https://two.example/"], opener: (3, 0)),
        ]
        writer.active = 99
        writer.pinned = 50
        writer.groups = [
            .init(start: 2, count: 50, title: "long", color: 77, id: (0, 0)),
            .init(start: -4, count: -2, title: "wrong", color: 1, id: (0, 0)),
        ]
        try writer.write(to: folder, "scene")
        let result = try read()
        let session = try require(result.sessions.first)
        expect(session.tabs.count, is: 4)
        expect(Set(session.tabs.map(\.metadata.id)).count, is: 4)
        expect(session.tabs.allSatisfy { $0.metadata.opener == nil })
        expect(session.attributes.activeTab == nil)
        expect(session.tabs.allSatisfy { $0.metadata.isPinned && $0.metadata.group == nil })
        expect(try require(result.report.sources.first).problems.count >= 9)
    }

    @Test("A twin with equal content is dropped")
    func twin() throws {
        var writer = ChromeIOSWriter()
        writer.tabs = [
            .init(id: 5, title: "twin", urls: ["https://one.example/"]),
            .init(id: 5, title: "twin", urls: ["https://one.example/"]),
            .init(id: 6, title: "other", urls: ["https://two.example/"], opener: (1, 0)),
        ]
        writer.active = 1
        try writer.write(to: folder, "scene")
        let session = try require(try read().sessions.first)
        expect(session.tabs.map(\.metadata.title), is: ["twin", "other"])
        expect(session.attributes.activeTab, is: session.tabs[0].metadata.id)
        expect(session.tabs[1].metadata.opener?.tab, is: session.tabs[0].metadata.id)
    }

    @Test("A state directory gives regular, inactive and incognito sessions of one window")
    func kinds() throws {
        let scene = "6D3A2B10-0C6B-4F3E-9E1C-0F8C7A0B1D2E"
        for (directory, id) in [
            ("SessionStorage/\(scene)", Int32(1)), ("SessionStorage/\(scene)-Inactive", 2),
            ("OTR/SessionStorage/\(scene)", 3),
        ] {
            var writer = ChromeIOSWriter()
            writer.tabs = [.init(id: id, title: "t\(id)", urls: ["https://example.org/\(id)"])]
            try writer.write(to: folder, "state/" + directory)
        }
        let result = try read("state")
        expect(
            result.sessions.map(\.id.description),
            is: [
                "\(scene)/regular", "\(scene)/inactive", "\(scene)/incognito",
            ])
        let incognito = try read("state/OTR/SessionStorage/\(scene)")
        expect(incognito.sessions.map(\.id.kind), is: [.incognito])
        let flagged = try SessionImporter().read(path: folder.file("state"), incognito: true)
        expect(flagged.sessions.allSatisfy { $0.id.partition == .incognito })
        expect(flagged.sessions.map(\.id.kind.rawValue).contains("incognito-inactive"))
    }

    @Test("Identifiers do not depend on where the directory is")
    func moved() throws {
        try Golden.write(to: folder, "here/scene")
        try Golden.write(to: folder, "deep/down/scene")
        try Golden.write(to: folder, "here/other")
        expect(try read("here/scene").sessions == read("deep/down/scene").sessions)
        let names = Set(try read("here/scene").sessions[0].tabs.map(\.metadata.id))
        expect(names.isDisjoint(with: try read("here/other").sessions[0].tabs.map(\.metadata.id)))
    }
}
