import BrowserSessions
import DirectoryBackend

func saveTab(in folder: String) async throws -> [String]? {
    let store = try await StorageBackend.directory.open(StorageConfiguration(location: folder))
    let window = SessionID(window: .random())
    let tab = TabMetadata(id: .random(), place: .between(nil, and: nil), url: "https://swift.org/")
    var changes = SessionChanges()
    changes.put(SessionAttributes(activeTab: tab.id), for: window)
    changes.put(tab, in: window)
    try await store.save(changes, durability: .powerLoss)  // all of it or nothing, on the disk
    let restored = try await store.restore(window)
    try await store.close()
    return restored?.tabs.map(\.url)
}
