import BrowserModel
import BrowserSessions

/// Pages whose engine may tell late what the user did last: they are looked at again.
///
/// After each sign of a change a page's state is taken once more when its engine's delay has passed, and
/// not more than twice of it: one timer serves all pages.
/// Whoever awaits a save, or closes a tab, asks the page itself and waits for a moment; the record of
/// a closed tab is put down at once, and its state follows.
final class UnsettledPages {
    private let context: RestorerContext
    private var pages: [TabID: Unsettled] = [:]
    /// The number of the last change of any page.
    private var lastChange = 0
    /// Pages of closed tabs that are asked for their state.
    private var followed: [ObjectIdentifier: WebPage] = [:]
    /// Those who wait until there is none of them.
    private var waiters: [AsyncStream<Never>.Continuation] = []
    private var timer: HostTimer?

    private struct Unsettled {
        weak var tab: Tab?
        var change: Int
    }

    init(_ context: RestorerContext) { self.context = context }

    /// Whether a page may know of something that nobody has saved yet.
    var mayHaveMore: Bool { !pages.isEmpty || !followed.isEmpty }

    /// There is a sign that the state of a tab's page is another.
    func changed(_ tab: Tab) {
        guard let page = tab.page, page.settleDelay > .zero else { return }
        lastChange += 1
        pages[tab.id] = Unsettled(tab: tab, change: lastChange)
        if timer == nil { setTimer(page.settleDelay) }
    }

    private func setTimer(_ delay: Duration) {
        weak let room = self
        let change = lastChange
        timer = context.work.after(delay) { room?.delayPassed(since: change) }
    }

    private func delayPassed(since change: Int) {
        timer = nil
        look(at: Array(pages.keys), asOf: change)
        let delays = pages.values.compactMap { $0.tab?.page?.settleDelay }
        if let delay = delays.max() { setTimer(delay) } else { pages = [:] }
    }

    /// Marks what pages tell by now, if it is another state; those that have changed after that change
    /// are looked at again.
    private func look(at ids: [TabID], asOf change: Int) {
        for id in ids {
            guard let page = pages[id], page.change <= change else { continue }
            pages[id] = nil
            if let tab = page.tab { look(at: tab) }
        }
    }

    private func look(at tab: Tab) {
        let side = context.ledger.side(tab.isOffTheRecord == true ? .incognito : .regular)
        if let list = tab.list {
            let window = context.windows.windows.first { $0.tabs === list }
            if let window { side.lookAgain(at: tab, in: window.sessionID) }
        } else {
            context.ledger.transit(side.side).lookAgain(at: tab)
        }
    }

    // MARK: Waiting for pages

    /// Returns when each of the pages has told its state, or after ``RestorationPolicy/flushLimit``; that
    /// of closed tabs, too.
    func settle() async {
        await settle(Array(pages.keys))
        guard !followed.isEmpty else { return }
        let (signals, signal) = AsyncStream<Never>.makeStream()
        waiters.append(signal)
        for await _ in signals {}
    }

    /// Asks the pages of these tabs for all that they know, all at once, and waits for it, but not long.
    func settle(_ tabs: [TabID]) async {
        let asked = tabs.compactMap { pages[$0]?.tab?.page }
        guard !asked.isEmpty else { return }
        let change = lastChange
        await flush(asked)
        look(at: tabs, asOf: change)
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
