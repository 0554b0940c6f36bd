import BrowserModel
import BrowserSessions
import DirectoryBackend
import SessionRestoration

@MainActor
final class Browser {
    let profiles = ProfileManager(root: "profiles")
    var sessions: SessionRestorer?

    /// The windows are back when it returns; from then on every change is saved in time.
    func launch(store location: String) async throws -> RestorationReport {
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: location))
        let sessions = SessionRestorer(profile: try profiles.create("default"), storage: store)
        self.sessions = sessions
        return try await sessions.restore()
    }

    func browse() throws -> Window {
        let window = try profiles.profile(named: "default").windows.open()
        let swift = Tab(url: "https://swift.org/", title: "Swift")
        try window.tabs.insert(swift, .active)
        try window.tabs.insert(
            Tab(url: "https://example.org/", title: "News"), TabInsertion(opener: swift.id))
        try window.tabs.pin(swift)
        return window
    }
}
