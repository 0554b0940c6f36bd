import BrowserModel
import BrowserSessions
import DirectoryBackend
import SessionRestoration
import TestSupport
import Testing

@MainActor
struct FirstTests {
    @Test func tabsComeBackInTheirOrderUnrealizedButForTheActiveOne() async throws {
        let folder = TemporaryFolder()
        let id = WindowID.random()
        do {
            let store = try await StorageBackend.directory.open(
                StorageConfiguration(location: folder.file("store")))
            let windows = WindowList()
            let restorer = SessionRestorer(windows: windows, storage: store)
            try await restorer.restore()
            let window = try windows.open(id)
            try window.tabs.insert(Tab(url: "https://a.example/", title: "A"))
            try window.tabs.insert(Tab(url: "https://b.example/", title: "B"), .active)
            try window.tabs.insert(Tab(url: "https://c.example/", title: "C"))
            window.tabs.move(from: 2, to: 0)
            try await restorer.close()
            try await store.close()
        }
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: folder.file("store")))
        let windows = WindowList()
        let restorer = SessionRestorer(windows: windows, storage: store)
        let report = try await restorer.restore()
        #expect(report.windows.map(\.tabs) == [3])
        let window = try #require(windows.window(id))
        #expect(window.tabs.tabs.map(\.title) == ["C", "A", "B"])
        #expect(window.tabs.tabs.map(\.isRealized) == [false, false, true])
        window.tabs.activate(at: 0)
        let tab = window.tabs[0]
        try await tab.forceRealization()
        #expect((tab.content as? PageHistory)?.history.entries.map(\.url) == ["https://c.example/"])
        try await restorer.close()
        try await store.close()
    }
}
