import BrowserSessions

/// One session in numbers.
struct SessionSummary: Codable, Equatable {
    var session: String
    var title: String
    var tabs: Int
    var groups: Int
    var historyEntries: Int
    var stateBytes: Int
    var provenance: String
    var losses: Int
    var repairs: Int

    /// Reads a session with the state of its tabs, a bounded number at a time; `nil` if there is
    /// none.
    init?(of id: SessionID, in store: any SessionStorage) async throws {
        guard let restored = try await store.restore(id) else { return nil }
        session = id.description
        title = restored.attributes.title
        tabs = restored.tabs.count
        groups = restored.attributes.groups.count
        provenance = restored.provenance.rawValue
        losses = restored.losses.count
        repairs = restored.repairs.count
        historyEntries = 0
        stateBytes = 0
        for key in try await store.stateKeys(in: id) {
            do throws(StorageError) {
                guard let bytes = try await store.state(of: key) else { continue }
                stateBytes += bytes.count
                guard key.name == .navigation else { continue }
                historyEntries += try NavigationHistory(encoded: bytes).entries.count
            } catch {
                guard error.code == .corrupted else { throw error }
                losses += 1
            }
        }
    }

    static let heading = [
        "session", "title", "tabs", "groups", "history", "state bytes", "provenance", "losses",
    ]

    var row: [String] {
        [
            session, title.isEmpty ? "-" : title, "\(tabs)", "\(groups)", "\(historyEntries)",
            "\(stateBytes)", provenance, "\(losses)",
        ]
    }
}
