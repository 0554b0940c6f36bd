import BrowserModel
import BrowserSessions

/// The pages that may report recent user actions late, so that their state is captured again.
///
/// After each sign of a change, a page's state is captured once more when its engine's delay has
/// passed, and within twice this delay: one timer serves all pages. Awaiting a save, or closing a
/// tab, asks the page and waits briefly. The record of a closed tab is saved immediately, and its
/// state follows.
final class UnsavedPages {
    private let context: RestorerContext
    private var pages: [TabID: UnsavedPage] = [:]
    /// The number of the last change of any page.
    private var lastChange = 0
    /// The pages of closed tabs that are asked for their state.
    private var followed: [ObjectIdentifier: WebPage] = [:]
    /// The callers that wait until there are no such pages.
    private var waiters: [AsyncStream<Never>.Continuation] = []
    private var timer: ScheduledTask?

    private struct UnsavedPage {
        weak var tab: Tab?
        var change: Int
    }

    init(_ context: RestorerContext) { self.context = context }

    /// Whether a page may have changes that are not saved yet.
    var mayHaveMore: Bool { !pages.isEmpty || !followed.isEmpty }

    /// Notes a sign that the state of a tab's page has changed.
    func changed(_ tab: Tab) {
        guard let page = tab.page, page.stateDelay > .zero else { return }
        lastChange += 1
        pages[tab.id] = UnsavedPage(tab: tab, change: lastChange)
        if timer == nil { setTimer(page.stateDelay) }
    }

    private func setTimer(_ delay: Duration) {
        weak let unsavedPages = self
        let change = lastChange
        timer = context.work.after(delay) { unsavedPages?.delayPassed(since: change) }
    }

    private func delayPassed(since change: Int) {
        timer = nil
        look(at: Array(pages.keys), asOf: change)
        let delays = pages.values.compactMap { $0.tab?.page?.stateDelay }
        if let delay = delays.max() { setTimer(delay) } else { pages = [:] }
    }

    /// Marks the pages with a different state. Pages that changed after the given change are
    /// checked again later.
    private func look(at ids: [TabID], asOf change: Int) {
        for id in ids {
            guard let page = pages[id], page.change <= change else { continue }
            pages[id] = nil
            if let tab = page.tab { look(at: tab) }
        }
    }

    private func look(at tab: Tab) {
        let saved = context.saves.partition(tab.partition)
        if let list = tab.list {
            let window = context.windows.windows.first { $0.tabs === list }
            if let window { saved.look(at: tab, in: window.sessionID) }
        } else {
            context.detachedTabs(in: saved.partition).lookAgain(at: tab)
        }
    }

    // MARK: Waiting for pages

    /// Waits until all pages have reported their state, including those of closed tabs, but not
    /// longer than ``RestorationPolicy/flushLimit``.
    func flush() async {
        await flush(Array(pages.keys))
        guard !followed.isEmpty else { return }
        let (signals, signal) = AsyncStream<Never>.makeStream()
        waiters.append(signal)
        for await _ in signals {}
    }

    /// Asks the pages of these tabs for their state, all at the same time, and waits a limited time.
    func flush(_ tabs: [TabID]) async {
        let asked = tabs.compactMap { pages[$0]?.tab?.page }
        guard !asked.isEmpty else { return }
        let change = lastChange
        await ask(asked)
        look(at: tabs, asOf: change)
    }

    private func ask(_ pages: [WebPage]) async {
        let (signals, signal) = AsyncStream<Never>.makeStream()
        let remaining = Remaining(pages.count)
        for page in pages {
            context.work.enqueue(isAwaited: false) {
                await page.flush()
                remaining.count -= 1
                if remaining.count == 0 { signal.finish() }
            }
        }
        let limit = context.work.after(context.policy.flushLimit) { signal.finish() }
        for await _ in signals {}
        limit.cancel()
    }

    private final class Remaining {
        var count: Int
        init(_ count: Int) { self.count = count }
    }

    // MARK: Closed tabs

    /// Saves the state of a closed tab's page when it arrives, if the page may have more to report
    /// and the tab has not changed before.
    func follow(_ tab: Tab, as metadata: TabMetadata, in session: SessionID) {
        guard pages.removeValue(forKey: tab.id) != nil, let page = tab.page else { return }
        page.hold()
        followed[ObjectIdentifier(page)] = page
        weak let unsavedPages = self
        context.work.enqueue {
            await unsavedPages?.ask([page])
            unsavedPages?.arrived(page, metadata, session)
        }
    }

    private func arrived(_ page: WebPage, _ metadata: TabMetadata, _ session: SessionID) {
        followed[ObjectIdentifier(page)] = nil
        context.saves.partition(session.partition)
            .mark(.lateState(page.captureState(), of: metadata, in: session))
        page.letGo()
        guard followed.isEmpty else { return }
        for waiter in waiters { waiter.finish() }
        waiters = []
    }
}
