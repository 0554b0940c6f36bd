import BrowserModel
import BrowserSessions

/// Tabs that left a list and are in no other yet.
///
/// A store has them where they were until they are somewhere else; if their window goes meanwhile, in a
/// hidden session. What happens to them is saved there. They are held weakly: one that nobody keeps is
/// told to be lost.
final class TabsInTransit: TabObserver {
    /// Told of a tab that its last owner let go of, as it was last.
    var onLost: (_ tab: TabMetadata, _ origin: SessionID) -> Void = { _, _ in }
    /// Told when one of them was closed or lost.
    var onEnded: () -> Void = {}
    private let ledger: SideLedger
    private var travellers: [TabID: Traveller] = [:]

    private struct Traveller {
        weak var tab: Tab?
        /// As it was in its list, with what changed since.
        var metadata: TabMetadata
        var origin: SessionID
        /// Whether the window has gone in which it was.
        var isHomeless = false
    }

    init(_ ledger: SideLedger) { self.ledger = ledger }

    /// Those that somebody keeps.
    var tabs: [Tab] { travellers.values.compactMap(\.tab) }

    var isEmpty: Bool { travellers.isEmpty }

    func holds(_ tab: Tab) -> Bool { travellers[tab.id]?.tab === tab }

    /// Where tabs are saved whose window has gone.
    static func session(of side: StorageSide) -> SessionID {
        SessionID(window: .profileWide, kind: side == .regular ? .transit : .incognitoTransit)
    }

    /// A tab left a list.
    func left(_ removal: TabRemoval, _ session: SessionID) {
        let tab = removal.tab
        travellers[tab.id] = Traveller(tab: tab, metadata: removal.metadata, origin: session)
        tab.addObserver(self)
        weak let transit = self
        let id = tab.id
        tab.custody = EndOfLife { transit?.lost(id) }
        if ledger.waiting[tab.id] != nil { take(tab, state: false) }
    }

    /// The tab is in a list, or was put elsewhere.
    func ended(_ id: TabID) {
        guard let traveller = travellers.removeValue(forKey: id) else { return }
        traveller.tab?.removeObserver(self)
        traveller.tab?.custody = nil
    }

    /// A window is about to go, with its session or to be reopened one day.
    func windowCloses(_ session: SessionID) {
        let hidden = Self.session(of: ledger.side)
        for (id, traveller) in travellers where traveller.origin == session {
            travellers[id]?.isHomeless = true
            ledger.put(traveller.metadata, in: hidden)
        }
    }

    /// Saves all of them in a store that may not have them.
    func markEverything() {
        let hidden = Self.session(of: ledger.side)
        for traveller in travellers.values {
            guard let tab = traveller.tab else { continue }
            let session = traveller.isHomeless ? hidden : traveller.origin
            ledger.take(tab, as: traveller.metadata, in: session, state: true)
        }
    }

    /// Closes them for good.
    func closeAll() { for tab in tabs { tab.close() } }

    func tab(_ tab: Tab, did event: TabEvent) {
        guard travellers[tab.id] != nil else { return }
        switch event {
        case .navigated, .stateChanged, .unloaded: take(tab, state: true)
        case .shown, .detailsChanged: take(tab, state: false)
        case .closed:
            ended(tab.id)
            ledger.close(tab.id)
            onEnded()
        case .loadingChanged, .realized, .realizationFailed: break
        }
    }

    /// The state of a tab's page may be another than that which was taken: an engine may have told it late.
    func lookAgain(at tab: Tab) {
        guard let traveller = travellers[tab.id], let session = ledger.session(of: tab.id),
            let state = tab.presentState
        else { return }
        ledger.take(state, ofTaken: traveller.metadata, in: session)
    }

    /// Its list is not there to say what it was in it.
    private func take(_ tab: Tab, state: Bool) {
        guard let traveller = travellers[tab.id], let session = ledger.session(of: tab.id) else {
            return
        }
        var metadata = tab.metadata
        metadata.place = traveller.metadata.place
        metadata.isPinned = traveller.metadata.isPinned
        metadata.group = traveller.metadata.group
        metadata.opener = traveller.metadata.opener
        travellers[tab.id]?.metadata = metadata
        ledger.take(tab, as: metadata, in: session, state: state)
    }

    private func lost(_ id: TabID) {
        guard let traveller = travellers.removeValue(forKey: id) else { return }
        onLost(traveller.metadata, traveller.origin)
        onEnded()
    }
}

/// Tells when whoever keeps it is gone.
private final class EndOfLife {
    private let tell: () -> Void

    init(_ tell: @escaping () -> Void) { self.tell = tell }

    deinit { tell() }
}

extension TabRemoval {
    /// The tab's metadata as it was in the list.
    var metadata: TabMetadata {
        var metadata = tab.metadata
        metadata.isPinned = isPinned
        metadata.group = group?.id
        metadata.opener = opener
        return metadata
    }
}
