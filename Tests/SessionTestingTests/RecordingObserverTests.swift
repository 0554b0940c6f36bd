import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionTesting
import Testing

@MainActor
struct RecordingObserverTests {
    @Test func eventsOfListsWindowsAndRestorersAreInOneOrder() async throws {
        let windows = WindowList()
        let restorer = SessionRestorer(
            windows: windows, storage: MemoryStorage(), clock: ManualClock())
        let seen = RecordingObserver()
        restorer.addObserver(seen)
        windows.addObserver(seen)
        try await restorer.restore()
        let window = try windows.open()
        window.tabs.addObserver(seen)
        try window.tabs.insert(Tab(url: "https://a.example/", title: "A"), .active)
        try await restorer.save()
        let expected = [
            "willRestore", "didRestore", "opened", "inserted", "activated", "shown", "willSave",
            "saved",
        ]
        #expect(seen.events == expected)
        #expect(seen.saves.map(\.side) == [.regular])
        seen.reset()
        #expect(seen.events.isEmpty && seen.restorations.isEmpty)
    }

    @Test func failuresAreKeptWithTheirErrors() async throws {
        let windows = WindowList()
        let storage = FaultyStorage()
        let restorer = SessionRestorer(windows: windows, storage: storage)
        let seen = RecordingObserver()
        restorer.addObserver(seen)
        try await restorer.restore()
        storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"))
        try windows.open()
        try? await restorer.save()
        #expect(seen.failures.map(\.code) == [.outOfSpace])
    }
}
