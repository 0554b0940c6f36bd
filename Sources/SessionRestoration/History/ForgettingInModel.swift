import BrowserModel
import BrowserSessions

/// Forgets sites in everything that a restorer and the model have in memory, so that no later save brings
/// anything back that the store forgot.
struct ForgettingInModel: RestorerPart {
    private let sites: ForgottenSites
    let components: RestorerComponents

    private var windows: WindowList { context.windows }

    init(_ sites: ForgottenSites, _ components: RestorerComponents) {
        (self.sites, self.components) = (sites, components)
    }

    private var tabs: [Tab] { context.regularTabs }

    // MARK: Before the store forgets

    /// Does everything at once.
    func run() throws {
        try closeHiddenTabs()
        closedTabs.forget(sites)
        for tab in tabs { redact(tab) }
        for window in context.regularWindows { redact(window) }
    }

    /// Closes the tabs on the sites that are in the model and that no window shows: inactive ones, those of a
    /// "close all" that can be undone, and those on the shelves of a host.
    private func closeHiddenTabs() throws {
        for window in context.regularWindows where !window.kind.showsTabs {
            let leaving = window.tabs.tabs.filter { sites.covers($0.metadata) }
            guard !leaving.isEmpty else { continue }
            try window.tabs.close(leaving, reason: .cleanup)
            for tab in leaving { context.saves.regular.mark(.closed(tab.id, isAsked: true)) }
            if window.tabs.isEmpty, window.kind.role == .companion { try windows.close(window) }
        }
    }

    /// Takes what a tab that stays has of the sites out of its metadata, and out of a state that it holds
    /// itself: those in the store are the store's part, and those of pages the engine's.
    private func redact(_ tab: Tab) {
        if var state = tab.heldState, sites.redact(&state, of: tab.metadata) {
            tab.replaceState(with: state)
        }
        tab.changeMetadata { _ = sites.redact(&$0) }
    }

    private func redact(_ window: Window) {
        var attributes = window.attributes
        if sites.redact(&attributes) {
            for name in window.attributes.properties.keys.sorted()
            where attributes.properties[name] == nil {
                window.setProperty(name, to: nil)
            }
        }
        for var node in window.tabs.nodes where sites.redact(&node) {
            try? window.tabs.update(node)
        }
    }

    // MARK: What pages have

    /// The realized tabs with pages that have something of the sites beside what they show.
    var keptHistories: [TabID] {
        tabs.filter { tab in
            guard var state = tab.page?.captureState() else { return false }
            return sites.redact(&state, of: tab.metadata, keepingStates: true)
        }.map(\.id)
    }

    // MARK: After the store forgot

    /// Takes over how the store has what is out of sight: closed windows, sessions that were set aside, and
    /// how long the histories are that it shortened.
    func takeOver() async throws {
        let store = context.store
        let ids = try await store.sessions().filter { $0.partition == .regular }
        let sessions = try await store.call { try await $0.restore(ids) }
        let closed = Set(windows.ids.reopenable.map(\.sessionID))
        components.show(
            sessions.filter { closed.contains($0.id) || components.setAside[$0.id] != nil },
            among: sessions)
        for session in sessions where components.setAside[session.id]?.tabs == 0 {
            components.setAside.forget(session.id)
        }
        let counts = Dictionary(
            sessions.flatMap(\.tabs).map { ($0.id, $0.navigationItemCount) },
            uniquingKeysWith: { one, _ in one })
        closedTabs.takeOver(counts)
        for tab in tabs where !tab.isRealized {
            guard let count = counts[tab.id], tab.heldState == nil else { continue }
            tab.changeMetadata { $0.navigationItemCount = count }
        }
    }
}

extension SessionKind {
    /// Whether tabs of the kind are in a window that is open, or in the library.
    fileprivate var showsTabs: Bool { role == .window || role == .library }
}

extension ForgottenSites {
    /// Takes what a state has of the sites out of it.
    ///
    /// - Parameters:
    ///   - tab: the tab that has the state, and stays.
    ///   - keepsStates: whether states that are no histories stay with a tab that has, or had, a site, since
    ///     they may be of the page that it shows.
    /// - Returns: whether anything was taken out.
    func redact(
        _ state: inout TabState, of tab: TabMetadata, keepingStates keepsStates: Bool = false
    ) -> Bool {
        let isShown = covers(tab)
        let (entries, isOther) = redact(&state.history, keepingCurrent: isShown)
        let hadSites = !keepsStates && (isShown || entries > 0)
        func stays(_ name: StateName, _ bytes: [UInt8]) -> Bool {
            if hadSites { return false }
            return isShown || !reaches(tab.lastActiveAt) || !covers(stateNamed: name, bytes)
        }
        let before = (state.native, state.extra)
        if let native = state.native, !stays(.native, native) { state.nativeBlob = nil }
        state.extra = state.extra.filter { stays($0.key, $0.value) }
        return entries > 0 || isOther || (state.native, state.extra) != before
    }
}
