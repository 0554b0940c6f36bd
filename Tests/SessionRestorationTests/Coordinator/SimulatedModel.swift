import BrowserModel
import BrowserSessions

@testable import SessionRestoration

/// Windows and tabs as a coordinator sees them.
struct SimulatedModel {
    struct LiveTab: Hashable {
        var metadata: TabMetadata
        var session: SessionID
        /// The number of changes that the page's state has.
        var stateVersion = 0
    }

    /// The title of each window.
    var windows: [SessionID: String] = [:]
    /// With the number of changes as `navigationItemCount`.
    var tabs: [TabID: LiveTab] = [:]
    private var closed: Set<TabID> = []

    func wasClosed(_ tab: TabID) -> Bool { closed.contains(tab) }

    /// In an order that does not depend on the process.
    var windowIDs: [SessionID] { windows.keys.sorted() }
    var tabIDs: [TabID] { tabs.keys.sorted() }

    mutating func close(_ tab: TabID) {
        tabs[tab] = nil
        closed.insert(tab)
    }

    func attributes(of session: SessionID) -> SessionAttributes? {
        windows[session].map { title in
            var attributes = SessionAttributes()
            attributes.title = title
            return attributes
        }
    }

    func state(of tab: TabID) -> TabState? {
        tabs[tab].map {
            TabState(
                history: NavigationHistory(url: $0.metadata.url, title: "\($0.stateVersion)"))
        }
    }

    func read(_ records: [CollectedRecord]) -> [CollectedRecord] {
        records.map { record in
            var record = record
            switch record.record {
            case .session(let session):
                record.session = attributes(of: session)
                    .map { SessionContent(attributes: $0, nodes: []) }
            case .tab(let tab): (record.tab, record.state) = (tabs[tab]?.metadata, state(of: tab))
            case .node: break
            }
            return record
        }
    }

    /// All that is open in a partition.
    func marks(of partition: StoragePartition) -> [PendingChanges.Mark] {
        windowIDs.filter { $0.partition == partition }.map { .session($0) }
            + tabIDs.compactMap { id in
                guard let tab = tabs[id], tab.session.partition == partition else { return nil }
                return .tab(id, in: tab.session, isStateNew: true)
            }
    }
}
