import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionTesting
import Testing

@MainActor
final class StatusLine: @MainActor SessionRestorerObserver {
    private(set) var text = ""

    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
        switch event {
        case .healthChanged(.healthy): text = ""
        case .healthChanged: text = "Tabs are not being saved"
        default: break
        }
    }
}

/// The examples of SessionRestoration.md.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ObserverExampleTests {
    @Test func anObserverOfTheMainActorHearsWhetherTabsAreSaved() async throws {
        let profile = try ProfileManager(root: "profiles").create(named: "default")
        let store = FaultyStorage(MemoryStorage())
        let sessions = SessionRestorer(profile: profile, storage: store)
        let report = try await sessions.restore()
        #expect(report.windows.isEmpty)
        let status = StatusLine()
        sessions.addObserver(status)
        store.fail(.save, with: StorageError(.outOfSpace, "the disk is full"))
        try profile.windows.open().tabs.insert(Tab(url: "https://example.org/"))
        await #expect(throws: SessionRestorationError.self) { try await sessions.save() }
        #expect(status.text == "Tabs are not being saved")
        try await sessions.save()
        #expect(status.text == "")
        try await sessions.close()
    }
}
