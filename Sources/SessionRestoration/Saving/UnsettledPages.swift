import BrowserModel
import BrowserSessions

/// Pages whose engine may tell late what the user did last: they are looked at again.
///
/// After each sign of a change a page's state is taken once more when its engine's delay has passed.
/// Whoever awaits a save, or closes a tab, asks the page itself and waits for a moment; the record of
/// a closed tab is put down at once, and its state follows.
final class UnsettledPages {
    private let context: RestorerContext
    private var pages: [TabID: Unsettled] = [:]
    /// Pages of closed tabs that are asked for their state.
    private var followed: [ObjectIdentifier: WebPage] = [:]
    /// Those who wait until there is none of them.
    private var waiters: [AsyncStream<Never>.Continuation] = []
    private var timer: HostTimer?

    private struct Unsettled {
        weak var tab: Tab?
        /// Whether nothing has changed since the timer was set.
        var isDue = false
    }

    init(_ context: RestorerContext) { self.context = context }

    /// Whether a page may know of something that nobody has saved yet.
    var mayHaveMore: Bool { !pages.isEmpty || !followed.isEmpty }

    /// There is a sign that the state of a tab's page is another.
    func changed(_ tab: Tab) {
        guard let page = tab.page, page.settleDelay > .zero else { return }
        pages[tab.id] = Unsettled(tab: tab)
        if timer == nil { setTimer(page.settleDelay) }
    }

    private func setTimer(_ delay: Duration) {
        weak let room = self
        timer = context.work.after(delay) { room?.delayPassed() }
    }

    private func delayPassed() {
        timer = nil
        for (id, page) in pages where page.isDue { look(id) }
        for id in pages.keys { pages[id]?.isDue = true }
        let delays = pages.values.compactMap { $0.tab?.page?.settleDelay }
        if let delay = delays.max() { setTimer(delay) } else { pages = [:] }
    }

    /// Saves what the page tells by now, if it is another state.
    private func look(_ id: TabID) {
        guard let tab = pages.removeValue(forKey: id)?.tab, let list = tab.list,
            let window = context.windows.windows.first(where: { $0.tabs === list })
        else { return }
        context.ledger.side(window.kind.side).lookAgain(at: tab, in: window.sessionID)
    }

    // MARK: Waiting for pages

    /// Returns when each of the pages has told its state, or after ``RestorationPolicy/flushLimit``; that
    /// of closed tabs, too.
    func settle() async {
        let asked = pages.compactMap { id, page in page.tab?.page.map { (id, $0) } }
        if !asked.isEmpty { await flush(asked.map(\.1)) }
        for (id, _) in asked { look(id) }
        guard !followed.isEmpty else { return }
        let (signals, signal) = AsyncStream<Never>.makeStream()
        waiters.append(signal)
        for await _ in signals {}
    }

    /// Asks the pages of these tabs for all that they know, all at once, and waits for it, but not long.
    func settle(_ tabs: [Tab]) async {
        let asked = tabs.filter { pages[$0.id] != nil }.compactMap(\.page)
        if !asked.isEmpty { await flush(asked) }
    }

    private func flush(_ pages: [WebPage]) async {
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

    /// The tab is closed, and was taken as that into a session. If its page may have more to tell, its
    /// state follows, unless something is done with the tab before.
    func follow(_ tab: Tab, as metadata: TabMetadata, in session: SessionID) {
        guard pages.removeValue(forKey: tab.id) != nil, let page = tab.page else { return }
        page.hold()
        followed[ObjectIdentifier(page)] = page
        weak let room = self
        context.work.enqueue {
            await room?.flush([page])
            room?.arrived(page, metadata, session)
        }
    }

    private func arrived(_ page: WebPage, _ metadata: TabMetadata, _ session: SessionID) {
        followed[ObjectIdentifier(page)] = nil
        context.ledger.side(session.side).take(
            page.captureState(), ofTaken: metadata, in: session)
        page.letGo()
        guard followed.isEmpty else { return }
        for waiter in waiters { waiter.finish() }
        waiters = []
    }
}
