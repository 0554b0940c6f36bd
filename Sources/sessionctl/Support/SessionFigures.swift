import BrowserSessions
import CommandLineSupport
import SessionInterop

/// The figures of one session.
struct SessionFigures: Equatable {
    var session: String
    var kind: SessionKind
    var title: String
    /// The title of the active tab, or of the first if none is active. People recognize a window by it.
    var activeTabTitle: String
    /// When the window was closed; `nil` if it is not a closed window.
    var closed: Timestamp?
    /// When the session or one of its tabs was used last.
    var lastUse: Timestamp
    var tabs: Int
    var groups: Int
    var historyEntries: Int
    var stateBytes: Int
    var provenance: String
    var losses: Int
    var repairs: Int

    /// What a session is for people.
    enum Part: String, CaseIterable {
        case open, closed, kept
        /// What a browser notes for itself.
        case `internal`

        fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    var part: Part
}

extension SessionFigures: Encodable {
    /// Encodes an object. Times are as in ``BrowserSessions/Timestamp/iso``, and absent if unknown; the
    /// time of closing is then empty, if it is that of a closed window.
    func encode(to encoder: any Encoder) throws {
        let fields: Fields = [
            "session": session, "kind": kind.rawValue, "part": part.rawValue, "title": title,
            "activeTabTitle": activeTabTitle, "closedAt": closed.map { $0.iso ?? "" },
            "lastActiveAt": lastUse.iso, "tabs": tabs, "groups": groups,
            "historyEntries": historyEntries, "stateBytes": stateBytes, "provenance": provenance,
            "losses": losses, "repairs": repairs,
        ]
        try fields.encode(to: encoder)
    }
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
        kind = id.kind
        closed = restored.attributes.closedAt
        part = Part(of: id, closedAt: closed)
        lastUse =
            (restored.tabs.map(\.lastActiveAt) + [restored.attributes.lastActiveAt]).max()
            ?? .unknown
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
}

extension SessionFigures.Part {
    init(of id: SessionID, closedAt: Timestamp?) {
        self =
            switch id.kind.onTheRecord {
            case .recentlyClosed: .closed
            case .backup, .transit: .internal
            default:
                switch id.kind.role {
                case .notes: .internal
                case .window: closedAt == nil ? .open : .closed
                case .companion, .library, .shelf: .kept
                }
            }
    }
}

extension SessionFigures {
    /// Returns sessions as people look for them: by part, and those used or closed last first.
    static func forPeople(_ figures: [SessionFigures]) -> [SessionFigures] {
        figures.sorted { one, other in
            (one.part.rank, other.moment, one.session) < (
                other.part.rank, one.moment, other.session
            )
        }
    }

    private var moment: Int64 {
        max(closed?.microseconds ?? .min, lastUse.microseconds)
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
