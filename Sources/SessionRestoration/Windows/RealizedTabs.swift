public import BrowserModel
import BrowserSessions

/// The tabs that have their page: ``SessionRestorer/realizedTabs``.
///
/// A page takes tens of megabytes. What nobody looked at for long is unloaded: the tab stays where it
/// is, and has its page again when it is activated.
public final class RealizedTabs {
    private let context: RestorerContext
    private let unsettled: UnsettledPages
    private var unloaded: [UnloadedTab] = []
    private var isLimitDue = false
    /// Asked before a tab is unloaded because of a limit or of memory: `false` keeps its page, as of a tab
    /// that plays music, holds a call or has a form half filled in. By default all may be.
    public var mayUnload: (Tab) -> Bool = { _ in true }

    private struct UnloadedTab {
        weak var tab: Tab?
    }

    init(_ context: RestorerContext, _ unsettled: UnsettledPages) {
        self.context = context
        self.unsettled = unsettled
    }

    /// The realized tabs of all windows; those that were shown the longest ago come first.
    public var tabs: [Tab] {
        context.windows.windows.flatMap(\.tabs).filter(\.isRealized)
            .sorted { ($0.lastActiveAt, $0.id) < ($1.lastActiveAt, $1.id) }
    }

    /// Takes the page from a tab, after it has told its state, which waits no longer than
    /// ``RestorationPolicy/flushLimit``. Throws as `Tab.unload()` does; does nothing for an unrealized tab.
    public func unload(_ tab: some TabReference) async throws(TabError) {
        guard let tab = context.tab(tab) else { throw .closed }
        await unsettled.settle([tab.id])
        try tab.unload()
    }

    /// Unloads the tabs that were shown the longest ago until at most so many have their page. Active tabs,
    /// tabs that load a page, and those that ``mayUnload`` keeps stay as they are.
    ///
    /// - Returns: the tabs that were unloaded.
    @discardableResult
    public func unload(keeping limit: Int) async -> [Tab] {
        // Those that were chosen tell their state together: there may be little time.
        await unsettled.settle(chosen(beyond: limit).map(\.id))
        return chosen(beyond: limit).filter { (try? $0.unload()) != nil }
    }

    /// The system runs out of memory: only the pages that the user looks at are kept, and those that
    /// ``mayUnload`` keeps.
    @discardableResult
    public func handleMemoryPressure() async -> [Tab] { await unload(keeping: 0) }

    /// The tabs that are one too many; what the user does meanwhile chooses others.
    private func chosen(beyond limit: Int) -> [Tab] {
        let realized = tabs
        return Array(
            realized.filter { $0.list?.activeTab !== $0 && !$0.isLoading && mayUnload($0) }
                .prefix(max(0, realized.count - max(0, limit))))
    }

    /// A tab became realized.
    func enforceLimit() {
        guard let limit = context.policy.maximumRealizedTabs, !isLimitDue else { return }
        isLimitDue = true
        weak let room = self
        context.work.enqueue {
            room?.isLimitDue = false
            await room?.unload(keeping: limit)
        }
    }

    /// A tab holds its state until the store has it.
    func wasUnloaded(_ tab: Tab) {
        unloaded.append(UnloadedTab(tab: tab))
        letGoOfSavedStates()
    }

    /// The store has the states of unloaded tabs: they need not be held any more.
    func letGoOfSavedStates() {
        unloaded.removeAll { entry in
            guard let tab = entry.tab, !tab.isRealized, !tab.isClosed else { return true }
            let side = context.ledger.side(tab.isOffTheRecord == true ? .incognito : .regular)
            guard side.hasAll(of: tab.id) else { return false }
            tab.letGoOfState(for: context.states(of: side.side))
            return true
        }
    }
}
