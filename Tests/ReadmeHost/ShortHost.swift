import BrowserModel
import BrowserSessions
import DirectoryBackend
import SessionRestoration

/// Each launch restores the tabs of earlier launches and opens one more.
@MainActor
func browse(in folder: String) async throws {
    let store = try await StorageBackend.directory.open(StorageConfiguration(location: folder))
    let profiles = ProfileManager(root: "profiles")
    let profile = try profiles.create(named: "default")
    let sessions = SessionRestorer(profile: profile, storage: store)
    print(try await sessions.restore())  // what came back; from here on every change is saved

    let window = try profile.windows.first ?? profile.windows.open()
    try window.tabs.insert(Tab(url: "https://swift.org/", title: "Swift"), as: .active)

    try await sessions.close()  // what is open comes back at the next launch
    try await store.close()
    profiles.endAll()
}
