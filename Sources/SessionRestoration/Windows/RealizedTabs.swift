public import BrowserModel
import BrowserSessions

/// The tabs that have their page: ``SessionRestorer/realizedTabs``.
///
/// A page takes tens of megabytes. Tabs that were not shown for a long time are unloaded: they stay
/// in place, and get their page again when they are activated.
public final class RealizedTabs {
    private let context: RestorerContext
    private let unsavedPages: UnsavedPages
    private var unloaded: [UnloadedTab] = []
    private var isLimitDue = false
    /// A closure that decides whether a limit or memory pressure can unload a tab. Return `false` if the tab
    /// plays music, is in a call, or has a half-completed form. By default, all tabs can be unloaded.
    public var mayUnload: (Tab) -> Bool = { _ in true }

    private struct UnloadedTab {
        weak var tab: Tab?
    }

    init(_ context: RestorerContext, unsavedPages: UnsavedPages) {
        self.context = context
        self.unsavedPages = unsavedPages
    }

    /// The realized tabs of all windows. The tabs that were shown the longest ago come first.
    public var tabs: [Tab] {
        context.windows.windows.flatMap(\.tabs).filter(\.isRealized)
            .sorted { ($0.lastActiveAt, $0.id) < ($1.lastActiveAt, $1.id) }
    }

    /// Unloads a tab after its page has reported its state, which takes at most
    /// ``RestorationPolicy/flushLimit``. Does nothing for an unrealized tab.
    ///
    /// - Throws: `TabError.closed` if the tab was closed, or if no tab of an open window has the
    ///   identifier; `TabError.active` for the active tab of a window.
    public func unload(_ tab: some TabReference) async throws(TabError) {
        guard let tab = context.tab(tab) else { throw .closed }
        await unsavedPages.flush([tab.id])
        try tab.unload()
    }

    /// Unloads the tabs that were shown the longest ago until at most `limit` tabs have their page.
    /// Active tabs, tabs that load a page, and those that ``mayUnload`` keeps are not unloaded. When the system
    /// runs out of memory, the limit is 0.
    ///
    /// - Returns: the tabs that were unloaded.
    @discardableResult
    public func unload(keeping limit: Int) async -> [Tab] {
        // The chosen tabs report their state together, because there may be little time.
        await unsavedPages.flush(chosen(beyond: limit).map(\.id))
        return chosen(beyond: limit).filter { (try? $0.unload()) != nil }
    }

    /// Returns the tabs that exceed the limit. User actions in the meantime lead to another choice.
    private func chosen(beyond limit: Int) -> [Tab] {
        let realized = tabs
        return Array(
            realized.filter { $0.list?.activeTab !== $0 && !$0.isLoading && mayUnload($0) }
                .prefix(max(0, realized.count - max(0, limit))))
    }

    /// Unloads tabs soon if more than the policy allows are realized.
    func enforceLimit() {
        guard let limit = context.policy.maximumRealizedTabs, !isLimitDue else { return }
        isLimitDue = true
        weak let tabs = self
        context.work.enqueue {
            tabs?.isLimitDue = false
            await tabs?.unload(keeping: limit)
        }
    }

    /// Notes an unloaded tab, which holds its state until the store has it.
    func wasUnloaded(_ tab: Tab) {
        unloaded.append(UnloadedTab(tab: tab))
        letGoOfSavedStates()
    }

    /// Releases the states of unloaded tabs that the store has.
    func letGoOfSavedStates() {
        unloaded.removeAll { entry in
            guard let tab = entry.tab, !tab.isRealized, !tab.isClosed else { return true }
            let saved = context.saves.partition(tab.partition)
            guard saved.pending.hasAll(of: tab.id) else { return false }
            tab.letGoOfState(for: context.states(of: saved.partition))
            return true
        }
    }
}
