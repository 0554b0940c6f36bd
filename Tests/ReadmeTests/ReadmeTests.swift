import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import RestorePlans
import SessionRestoration
import StorageEngines
import TestSupport

@testable import readmehost

@Suite("README")
struct ReadmeTests {
    /// The blocks of a language on a page.
    private func blocks(_ language: String, of page: String) throws -> [String] {
        try text(page).components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    /// Files that are compiled, and the pages that show them.
    private static let examples = [
        "Tests/ReadmeHost/ShortHost.swift": "README.md",
        "Tests/ReadmeTests/ShortStore.swift": "README.md",
        "Tests/ReadmeHost/Browser.swift":
            "Sources/SessionRestoration/SessionRestoration.docc/GettingStarted.md",
        "Tests/ReadmeTests/ReadmeExample.swift":
            "Sources/BrowserSessions/BrowserSessions.docc/UsingAStore.md",
        "Tests/ReadmeTests/ForestExample.swift":
            "Sources/BrowserSessions/BrowserSessions.docc/AForestOfTabs.md",
        "Tests/ReadmeTests/GoingBackExample.swift":
            "Sources/RestorePlans/RestorePlans.docc/RestorePlans.md",
        "Tests/ReadmeTests/EarlierMomentsExample.swift":
            "Sources/SessionRestoration/SessionRestoration.docc/EarlierMoments.md",
        "Tests/OutsideBackend/Sources/memory-check/Check.swift":
            "Conformance/StorageConformance.docc/CheckingABackend.md",
        "Tests/OutsideBackend/Tests/MemoryBackendTests/MemoryConformanceTests.swift":
            "Sources/BrowserSessions/BrowserSessions.docc/WritingABackend.md",
    ]

    @Test("the Swift examples are the ones that are compiled")
    func examplesAreCompiled() throws {
        for (file, page) in Self.examples {
            let source = try text(file)
            expect(try blocks("swift", of: page).contains(source), "\(page): \(file)")
        }
    }

    @Test("the host of the README finds its tabs again")
    @MainActor func shortHostRuns() async throws {
        let folder = TemporaryFolder()
        for _ in 0..<3 { try await browse(in: folder.file("store")) }
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: folder.file("store")))
        let sessions = SessionRestorer(windows: WindowList(), storage: store)
        let report = try await sessions.restore()
        expect("\(report)", is: "1 window with 3 tabs came back")
        try await sessions.close()
        try await store.close()
    }

    @Test("the store of the README gives back what it was given")
    func shortStoreRuns() async throws {
        let folder = TemporaryFolder()
        expect(try await saveTab(in: folder.file("store")) == ["https://swift.org/"])
    }

    @Test("the forest of its page comes back as it is drawn")
    func forestExampleWorks() async throws {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: folder.file("store")))
        let rows = [
            "News", "  An article", "Travel", "  Trains", "  split", "    Map", "    Hotels",
        ]
        expect(try await outline(in: store) == rows)
        try await store.close()
    }

    @Test("what is gone comes back by the example of its page")
    func goingBackExampleWorks() async throws {
        let folder = TemporaryFolder()
        let configuration = StorageConfiguration(location: folder.file("store"))
        var store = try await StorageBackend.directory.open(configuration)
        let window = SessionID(window: .random())
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "Reading"), for: window)
        for title in ["Über Züge", "Karten", ""] {
            changes.put(TabMetadata(id: .random(), place: .middle, title: title), in: window)
        }
        try await store.save(changes)
        try await store.close()
        store = try await StorageBackend.directory.open(configuration)
        let point = try require(try await store.restorePoints().first)
        changes = SessionChanges()
        changes.remove(window)
        try await store.save(changes)
        expect(try await changesSince(point, in: store) == "3 gone, 0 moved, 0 changed, 0 new")
        let result = try require(try await bringBack("zuge UBER", in: store))
        expect(result.done.tabs.added, is: 2)
        expect(try await bringBack("karten", in: store) == nil)
        expect(try await changesSince(point, in: store) == "1 gone, 0 moved, 0 changed, 0 new")
        try await store.close()
    }

    @Test("what a program closed comes back by the example of its page, and goes again")
    @MainActor func earlierMomentsExampleWorks() async throws {
        let folder = TemporaryFolder()
        let configuration = StorageConfiguration(location: folder.file("store"))
        var store = try await StorageBackend.directory.open(configuration)
        var moments = EarlierMoments(
            sessions: SessionRestorer(windows: WindowList(), storage: store))
        try await moments.sessions.restore()
        let window = try moments.sessions.windows.open()
        for number in 0..<12 { try window.tabs.insert(Tab(url: "demo:a", title: "\(number)")) }
        try await moments.sessions.history.takeRestorePoint(name: "twelve")
        try window.tabs.insert(Tab(url: "demo:a", title: "12"))
        try await moments.sessions.save()
        window.tabs.closeAll(reason: .program)
        try await moments.sessions.close()
        try await store.close()

        store = try await StorageBackend.directory.open(configuration)
        moments = EarlierMoments(sessions: SessionRestorer(windows: WindowList(), storage: store))
        try await moments.sessions.restore()
        let list = try require(moments.sessions.windows.first).tabs
        let menu = try await moments.menu()
        expect(menu.map(\.title).contains("13 tabs, before 13 went at once"))
        let named = try require(menu.first { $0.title == "twelve: 12 tabs" })
        let undo = try require(try await moments.goBack(to: named.point) { $0.title == "7" })
        expect(list.count == 11 && !list.contains { $0.title == "7" })
        try await moments.undo(undo)
        expect(list.isEmpty)
        try await moments.offerWhatWasLost { $0 == 13 }
        expect(list.count, is: 13)
        expect(try await !moments.menu().map(\.title).contains { $0.contains("at once") })
        let page = Tab(url: "https://a.example/")
        try list.insert(page)
        let history = try require(page.page?.view as? PageHistory)
        history.navigate(to: NavigationEntry(url: "demo:b", title: "b"))
        expect(try await moments.forget("a.example") == 0)
        try await moments.sessions.close()
        try await store.close()
    }

    @Test("the host of the guide finds its tabs again, and what was set aside")
    @MainActor func hostExampleWorks() async throws {
        let folder = TemporaryFolder()
        let first = try await Browser(store: folder.file("store"))
        try first.browse()
        try await first.quit()
        try await setAside(["Lost", "Too"], in: folder.file("store"))

        let next = try await Browser(store: folder.file("store"))
        let windows = next.profile.windows
        expect(windows.map { $0.tabs.map(\.title) }.contains(["Swift", "News", "Sports"]))
        expect(windows.first?.tabs.groups.map(\.name), is: ["Read"])
        expect(windows.first?.tabs.first?.isPinned, is: true)
        expect(try next.profile.createIncognito().windows.map(\.tabs.count) == [1])
        expect(!windows.contains { $0.tabs.map(\.title).contains("Lost") })
        try await next.offerSetAside { $0.tabs == 2 }
        expect(windows.contains { Set($0.tabs.map(\.title)) == ["Lost", "Too"] })
        try await next.quit()
    }

    /// Sets tabs aside, as a launch does after a crash.
    private func setAside(_ titles: [String], in folder: String) async throws {
        let store = try await StorageBackend.directory.open(StorageConfiguration(location: folder))
        let aside = SessionID(window: .random(), kind: .setAside)
        var changes = SessionChanges()
        changes.put(SessionAttributes(), for: aside)
        for (title, place) in zip(titles, OrderKey.evenlySpaced(count: titles.count)) {
            changes.put(
                TabMetadata(id: .random(), place: place, url: "demo:a", title: title), in: aside)
        }
        _ = try await store.save(changes)
        try await store.close()
    }

    @Test("the example works with the configuration shown, for every backend")
    func exampleWorks() async throws {
        let page = "Sources/BrowserSessions/BrowserSessions.docc/ChoosingABackend.md"
        let configuration = try require(try blocks("json", of: page).first)
        expect(configuration, is: (try text("Sources/sessionctl/Demo/storage.json")))
        for backend in ["sqlite", "directory", "leveldb"] {
            let folder = TemporaryFolder()
            let changed = configuration.replacing("\"sqlite\"", with: "\"\(backend)\"")
            try FileSystem.replace(folder.file("storage.json"), with: [UInt8](changed.utf8))
            let history = try await saveAndRestore(configurationFile: folder.file("storage.json"))
            expect(history?.entries.map(\.url), is: ["https://example.org/"])
            expect(try FileSystem.exists(folder.file("profile.\(backend)/store.json")))
        }
    }
}
