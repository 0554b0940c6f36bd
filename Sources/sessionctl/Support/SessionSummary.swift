import BrowserSessions
import SessionInterop

/// One session in numbers.
struct SessionSummary: Codable, Equatable {
    var session: String
    var title: String
    /// When the window was closed, as in an export; `nil` for what is no closed window.
    var closedAt: Int64?
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
        closedAt = restored.attributes.closedAt?.microseconds
        tabs = restored.tabs.count
        groups = restored.attributes.groups.count
        provenance = restored.provenance.rawValue
        losses = restored.losses.count
        repairs = restored.repairs.count
        for loss in restored.losses { tell?(loss) }
        var (lost, bytes, entries) = (0, 0, 0)
        func add(_ loss: Loss) {
            lost += 1
            tell?(loss)
        }
        try await store.forEachBatch(of: store.stateKeys(in: id), in: id, add) {
            _, states throws(StorageError) in
            for (key, state) in states {
                bytes += state.count
                guard key.name == .navigation else { continue }
                do throws(StorageError) {
                    entries += try NavigationHistory(encoded: state).entries.count
                } catch {
                    guard error.code == .corrupted else { throw error }
                    add(.state(of: key, in: id))
                }
            }
        }
        losses += lost
        stateBytes = bytes
        historyEntries = entries
    }

    /// A table of sessions.
    static func lines(_ summaries: [SessionSummary]) -> [String] {
        if summaries.isEmpty { return ["no sessions"] }
        var table = TextTable([
            .init(heading: "session", least: 9), .init(heading: "title", least: 8),
            .init(heading: "window"), .init(heading: "tabs", isNumber: true),
            .init(heading: "groups", isNumber: true),
            .init(heading: "history", isNumber: true),
            .init(heading: "state bytes", isNumber: true), .init(heading: "provenance"),
            .init(heading: "losses", isNumber: true),
        ])
        for summary in summaries { table.add(summary.row) }
        return table.lines
    }

    private var row: [String] {
        [
            session, title.isEmpty ? "-" : title, closedAt == nil ? "-" : "closed", "\(tabs)",
            "\(groups)", "\(historyEntries)",
            "\(stateBytes)", provenance, "\(losses)",
        ]
    }
}
