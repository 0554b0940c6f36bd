import BrowserModel
import BrowserSessions

/// Closing rules that suspect a window that lost all its tabs without the user's doing.
///
/// Tabs that the app closes without a user's reason wait for the next save, as tabs of a session
/// that does not exist yet. If one of these closings took the window's last tab, they stay there:
/// they are set aside, whether or not the window got other tabs since. Otherwise, they are closed
/// like any others. Tabs are therefore never removed before the decision, which does not depend on
/// whether they were closed in a batch or one by one. Tabs that the user closes are closed at once.
final class SuspicionRules: ClosingRules {
    /// A window that lost tabs and was empty.
    struct Emptied {
        var window: Window
        var session: SessionID
        var nodes: [StructureNode]
        var tabs: [TabMetadata]
    }

    private struct Loss {
        let window: Window
        let session: SessionID
        var removals: [TabRemoval] = []
        /// What tabs were in that ended with them.
        var ended: [StructureNode] = []
        var wasEmptied = false
    }

    private let inner: any ClosingRules
    private let saves: SavedPartition
    private let limit: Int
    private var losses: [SessionID: Loss] = [:]

    /// - Parameter limit: the number of tabs from which a loss is suspicious.
    init(_ inner: any ClosingRules, saves: SavedPartition, limit: Int) {
        self.inner = inner
        self.saves = saves
        self.limit = limit
    }

    func closed(_ removal: TabRemoval, in window: Window) -> KeptTab? {
        guard removal.closing == .program, window.kind.isReopenable else {
            return inner.closed(removal, in: window)
        }
        let id = window.sessionID
        var loss =
            losses[id]
            ?? Loss(window: window, session: SessionID(window: .random(), kind: .setAside))
        loss.removals.append(removal)
        if window.tabs.isEmpty { loss.wasEmptied = true }
        losses[id] = loss
        saves.take(removal.tab, as: removal.metadata, in: loss.session)
        return nil
    }

    func ended(_ node: StructureNode, in window: Window) {
        losses[window.sessionID]?.ended.append(node)
        inner.ended(node, in: window)
    }

    func batchEnded() { inner.batchEnded() }

    /// Decides about all waiting tabs: closes some, and leaves the rest in their new sessions,
    /// which then need attributes. Tabs that are in a list again are not affected.
    ///
    /// - Returns: the windows that were emptied, and the tabs that are kept as closed.
    func decide() -> (emptied: [Emptied], kept: [KeptTab]) {
        var (emptied, kept) = ([Emptied](), [KeptTab]())
        let losses = losses.values.sorted { $0.window.sessionID < $1.window.sessionID }
        self.losses = [:]
        for loss in losses {
            let removals = loss.removals.filter {
                saves.pending.isKept($0.tab.id, in: loss.session)
            }
            if loss.wasEmptied, removals.count >= limit {
                emptied.append(Emptied(loss.window, loss.session, removals, loss.ended))
            } else {
                kept += removals.compactMap { inner.closed($0, in: loss.window) }
                if !removals.isEmpty { inner.batchEnded() }
            }
        }
        return (emptied, kept)
    }
}

extension SuspicionRules.Emptied {
    /// The tabs as they were, with what they were in, whether that ended or is empty now.
    fileprivate init(
        _ window: Window, _ session: SessionID, _ removals: [TabRemoval],
        _ ended: [StructureNode]
    ) {
        self.window = window
        self.session = session
        let known = Dictionary(ended.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        let ids = Set(removals.map { NodeID($0.tab.id) })
        var found: [NodeID: StructureNode] = [:]
        var wanted = removals.compactMap(\.formerPlace.parent)
        while let id = wanted.popLast() {
            guard found[id] == nil, !ids.contains(id),
                let node = known[id] ?? window.tabs.node(id)
            else { continue }
            found[id] = node.asItWas
            if let parent = node.parent { wanted.append(parent) }
        }
        let isThere = { (id: NodeID?) in id.map { ids.contains($0) || found[$0] != nil } ?? true }
        nodes = found.values.sorted { $0.id < $1.id }.map { isThere($0.parent) ? $0 : $0.atTop }
        tabs = removals.map { removal in
            var (tab, former) = (removal.metadata, removal.formerPlace)
            guard isThere(former.parent) else { return tab.atTop }
            (tab.parent, tab.edge) = (former.parent, former.edge)
            (tab.zone, tab.weight) = (former.zone, former.weight)
            if let place = former.place { tab.place = place }
            return tab
        }
    }
}

extension StructureNode {
    /// The node below nothing.
    fileprivate var atTop: StructureNode {
        var node = self
        (node.parent, node.edge, node.zone) = (nil, .member, .normal)
        return node
    }
}
