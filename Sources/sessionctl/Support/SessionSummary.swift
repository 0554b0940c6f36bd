import BrowserSessions
import SessionInterop

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
    ///
    /// - Parameter tell: told of what is lost of it.
    init?(of id: SessionID, in store: any SessionStorage, _ tell: LossHandler?) async throws {
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
        for loss in restored.losses { tell?(loss) }
        for key in try await store.stateKeys(in: id) {
            do throws(StorageError) {
                guard let bytes = try await store.state(of: key) else { continue }
                stateBytes += bytes.count
                guard key.name == .navigation else { continue }
                historyEntries += try NavigationHistory(encoded: bytes).entries.count
            } catch {
                guard error.code == .corrupted else { throw error }
                losses += 1
                tell?(.state(of: key, in: id))
            }
        }
    }

    /// A table of sessions.
    static func lines(_ summaries: [SessionSummary]) -> [String] {
        if summaries.isEmpty { return ["no sessions"] }
        var table = TextTable([
            .init(heading: "session", least: 9), .init(heading: "title", least: 8),
            .init(heading: "tabs", isNumber: true), .init(heading: "groups", isNumber: true),
            .init(heading: "history", isNumber: true),
            .init(heading: "state bytes", isNumber: true), .init(heading: "provenance"),
            .init(heading: "losses", isNumber: true),
        ])
        for summary in summaries { table.add(summary.row) }
        return table.lines
    }

    private var row: [String] {
        [
            session, title.isEmpty ? "-" : title, "\(tabs)", "\(groups)", "\(historyEntries)",
            "\(stateBytes)", provenance, "\(losses)",
        ]
    }
}
