import BrowserSessions
import SessionInterop

/// The figures of one session.
struct SessionFigures: Codable, Equatable {
    var session: String
    var title: String
    /// The title of the active tab, or of the first if none is active. People recognize a window by it.
    var activeTabTitle: String
    /// When the window was closed, as in an export; `nil` if it is not a closed window.
    var closedAt: Int64?
    var tabs: Int
    var groups: Int
    var historyEntries: Int
    var stateBytes: Int
    var provenance: String
    var losses: Int
    var repairs: Int
}

extension SessionFigures {
    /// Reads a session with the state of its tabs, a bounded number at a time. Returns `nil` if the
    /// session does not exist.
    ///
    /// - Parameter tell: receives the losses of the session.
    init?(of id: SessionID, in store: any SessionStorage, _ tell: LossHandler?) async throws {
        guard let restored = try await store.restore(id) else { return nil }
        session = id.description
        title = restored.attributes.title
        activeTabTitle = restored.activeTabTitle
        closedAt = restored.attributes.closedAt?.microseconds
        tabs = restored.tabs.count
        groups = restored.nodes.count { $0.kind == .group }
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

    /// Returns a table of sessions. If the terminal is too narrow for whole identifiers, shows them
    /// as short as possible. `show` accepts each one as printed.
    ///
    /// - Parameter width: the cells of a line; `nil` for no limit.
    static func lines(
        _ summaries: [SessionFigures], width: Int? = TextTable.terminalWidth
    ) -> [String] {
        if summaries.isEmpty { return ["no sessions"] }
        let whole = table(zip(summaries.map(\.session), summaries))
        guard let width, whole.width > width else { return whole.lines(width: width) }
        let short = SessionPrefix.shortest(of: summaries.map(\.session))
        return table(zip(short, summaries)).lines(width: width)
    }

    private static func table(_ rows: some Sequence<(String, SessionFigures)>) -> TextTable {
        var table = TextTable([
            .init(heading: "session"), .init(heading: "title", least: 8),
            .init(heading: "window"), .init(heading: "tabs", isNumber: true),
            .init(heading: "groups", isNumber: true),
            .init(heading: "history", isNumber: true),
            .init(heading: "state bytes", isNumber: true), .init(heading: "provenance"),
            .init(heading: "losses", isNumber: true),
        ])
        for (session, summary) in rows { table.add([session] + summary.numbers) }
        return table
    }

    private var numbers: [String] {
        let name = title.isEmpty ? activeTabTitle : title
        return [
            name.isEmpty ? "-" : name, closedAt == nil ? "-" : "closed", "\(tabs)", "\(groups)",
            "\(historyEntries)",
            "\(stateBytes)", provenance, "\(losses)",
        ]
    }
}

extension RestoredSession {
    /// The title of the active tab, or of the first if none is active. If the title is empty, the
    /// address; without tabs, empty.
    var activeTabTitle: String {
        let tab = tabs.first { $0.id == attributes.activeTab } ?? tabs.first
        return tab.map { $0.title.isEmpty ? $0.url : $0.title } ?? ""
    }
}
