import BackendSelection
import BrowserSessions
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend

func saveAndRestore(configurationFile: String) async throws -> NavigationHistory? {
    let registry = try BackendRegistry([.directory, .sqlite, .leveldb])
    let request = SelectionRequest(
        configurationFile: configurationFile, environment: [:], workingDirectory: "/")
    let store = try await request.resolve(registry: registry).open()

    let window = SessionID(window: .random())
    let tab = TabMetadata(
        id: .random(), place: .between(nil, and: nil), url: "https://example.org/",
        title: "Example")
    var changes = SessionChanges()
    changes.put(SessionAttributes(activeTab: tab.id), for: window)
    changes.put(tab, in: window)
    changes.put(
        NavigationHistory(url: tab.url, title: tab.title).encoded(),
        for: TabStateKey(tab: tab.id, name: .navigation, in: window))
    try await store.save(changes, durability: .powerLoss)

    let restored = try await store.restore(window)  // metadata of all tabs, no state
    guard let first = restored?.tabs.first else { return nil }
    let history = try await store.history(of: first, in: window)  // the state of one tab
    try await store.close()
    return history
}
