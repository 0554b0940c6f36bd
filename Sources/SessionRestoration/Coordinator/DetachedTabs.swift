import BrowserModel
import BrowserSessions

/// Receives events of tabs that are in no list.
protocol DetachedTabsDelegate: AnyObject {
    /// The last owner of a tab released it.
    func detachedTabWasLost(_ tab: TabMetadata, from session: SessionID)
    /// A tab was closed or lost.
    func detachedTabEnded(in partition: StoragePartition)
}

/// The tabs that left a list and are not in another yet.
///
/// The store keeps them where they were until they are somewhere else, or in a hidden session if
/// their window closes in the meantime. Their changes are saved there. They are held weakly, and a
/// tab without an owner is reported as lost.
final class DetachedTabs: TabObserver {
    weak var delegate: (any DetachedTabsDelegate)?
    private let saves: SavedPartition
    private var detached: [TabID: DetachedTab] = [:]

    private struct DetachedTab {
        weak var tab: Tab?
        /// The tab's metadata in its former list, with later changes.
        var metadata: TabMetadata
        var origin: SessionID
        /// Whether the tab was pinned, by itself or with its group.
        var isPinned: Bool
        /// Whether its former window is closed.
        var isWindowGone = false
    }

    init(_ saves: SavedPartition) { self.saves = saves }

    /// The detached tabs that still have an owner.
    var tabs: [Tab] { detached.values.compactMap(\.tab) }

    var isEmpty: Bool { detached.isEmpty }

    /// The records of the tabs with the windows that they left, as far as these are open.
    var records: [(tab: TabMetadata, session: SessionID)] {
        detached.values.filter { !$0.isWindowGone }.map { ($0.metadata, $0.origin) }
    }

    func has(_ id: TabID) -> Bool { detached[id] != nil }

    func holds(_ tab: Tab) -> Bool { detached[tab.id]?.tab === tab }

    /// Returns the hidden session for tabs of closed windows.
    static func session(of partition: StoragePartition) -> SessionID {
        SessionID(window: .profileWide, kind: partition == .regular ? .transit : .incognitoTransit)
    }

    /// Begins to observe a tab that left a list.
    func left(_ removal: TabRemoval, _ session: SessionID) {
        let tab = removal.tab
        detached[tab.id] = DetachedTab(
            tab: tab, metadata: removal.metadata, origin: session, isPinned: removal.isPinned)
        tab.addObserver(self)
        tab.lifetimeToken = LifetimeToken(self, tab.id)
        // What it was below may go before it is elsewhere, unless that is its group.
        let isBelowMore = removal.formerPlace.parent != removal.group?.id
        if isBelowMore || saves.pending.tabs[tab.id] != nil { take(tab, isStateNew: false) }
    }

    /// Ends the observation of a tab that is in a list or was put elsewhere.
    func ended(_ id: TabID) {
        guard let detachedTab = detached.removeValue(forKey: id) else { return }
        detachedTab.tab?.removeObserver(self)
        detachedTab.tab?.lifetimeToken = nil
    }

    /// Moves the detached tabs of a closing window to the hidden session. What a group pinned is pinned by
    /// itself from then on.
    func windowCloses(_ session: SessionID) {
        let hidden = Self.session(of: saves.partition)
        for id in detached.keys.sorted() {
            guard var detachedTab = detached[id], detachedTab.origin == session else { continue }
            detachedTab.isWindowGone = true
            if detachedTab.isPinned, detachedTab.metadata.group != nil {
                detachedTab.metadata.group = nil
                detachedTab.metadata.zone = .pinned
            }
            detached[id] = detachedTab
            saves.mark(.put(detachedTab.metadata, in: hidden))
        }
    }

    /// Marks all detached tabs for saving, for a store that may not have them.
    func markEverything() {
        let hidden = Self.session(of: saves.partition)
        for id in detached.keys.sorted() {
            guard let detachedTab = detached[id], let tab = detachedTab.tab else { continue }
            let session = detachedTab.isWindowGone ? hidden : detachedTab.origin
            saves.take(tab, as: detachedTab.metadata, in: session, isStateNew: true)
        }
    }

    /// Permanently closes all detached tabs.
    func closeAll() { for tab in tabs { tab.close() } }

    func tab(_ tab: Tab, did event: TabEvent) {
        guard detached[tab.id] != nil else { return }
        switch event {
        case .navigated, .stateChanged, .unloaded: take(tab, isStateNew: true)
        case .shown, .detailsChanged: take(tab, isStateNew: false)
        case .closed:
            ended(tab.id)
            saves.mark(.closed(tab.id))
            delegate?.detachedTabEnded(in: saves.partition)
        case .loadingChanged, .realized, .realizationFailed: break
        }
    }

    /// Checks a page's state again, because the engine may have reported it after it was taken.
    func lookAgain(at tab: Tab) {
        guard let detachedTab = detached[tab.id], let session = saves.pending.session(of: tab.id),
            let state = tab.presentState
        else { return }
        saves.mark(.lateState(state, of: detachedTab.metadata, in: session))
    }

    /// Saves a detached tab with its former place, pin, group and opener, which no list can provide.
    private func take(_ tab: Tab, isStateNew: Bool) {
        guard let detachedTab = detached[tab.id], let session = saves.pending.session(of: tab.id)
        else {
            return
        }
        var metadata = tab.metadata
        metadata.place = detachedTab.metadata.place
        metadata.zone = detachedTab.metadata.zone
        (metadata.parent, metadata.edge) = (detachedTab.metadata.parent, .member)
        metadata.opener = detachedTab.metadata.opener
        detached[tab.id]?.metadata = metadata
        saves.take(tab, as: metadata, in: session, isStateNew: isStateNew)
    }

    fileprivate func lost(_ id: TabID) {
        guard let detachedTab = detached.removeValue(forKey: id) else { return }
        delegate?.detachedTabWasLost(detachedTab.metadata, from: detachedTab.origin)
        delegate?.detachedTabEnded(in: saves.partition)
    }
}

/// An object with the lifetime of a detached tab.
private final class LifetimeToken {
    private weak var tabs: DetachedTabs?
    private let tab: TabID

    init(_ tabs: DetachedTabs, _ tab: TabID) {
        self.tabs = tabs
        self.tab = tab
    }

    deinit { tabs?.lost(tab) }
}

extension TabRemoval {
    /// The tab's metadata as it was in the list, but below nothing else than its group: other nodes may
    /// end before the tab is elsewhere.
    var metadata: TabMetadata {
        var metadata = tab.metadata
        metadata.group = group?.id
        if group == nil, isPinned {
            metadata.zone = formerPlace.zone == .normal ? .pinned : formerPlace.zone
        } else {
            metadata.zone = .normal
        }
        metadata.opener = opener
        return metadata
    }
}
