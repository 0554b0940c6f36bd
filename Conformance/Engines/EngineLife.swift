import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionTesting

/// One process of a host: an engine, windows, and a restorer over what the last process saved.
final class EngineLife<Subject: EngineSubject> {
    let subject: Subject
    let engine: Subject.Engine
    let windows = WindowList()
    let restorer: SessionRestorer
    let storage: MemoryStorage
    let events = TabEvents()

    typealias View = Subject.Engine.View

    /// Starts a process and restores.
    static func begin(
        _ subject: Subject, _ storage: MemoryStorage = MemoryStorage(),
        limitingFlushes: Bool = false, isolation: isolated any Actor
    ) async throws -> EngineLife {
        let life = try EngineLife(subject, storage, limitingFlushes)
        try await life.restorer.restore(isolation: isolation)
        for window in life.windows.windows { window.tabs.addObserver(life.events) }
        return life
    }

    private init(_ subject: Subject, _ storage: MemoryStorage, _ limitsFlushes: Bool) throws {
        self.subject = subject
        self.storage = storage
        engine = try subject.makeEngine()
        var policy = RestorationPolicy()
        policy.crashes.isDevelopment = true
        // A manual clock stands still while a save is awaited.
        if limitsFlushes, !(subject.clock is ContinuousClock) { policy.flushLimit = .zero }
        windows.webEngine = engine
        restorer = SessionRestorer(
            windows: windows, storage: storage, policy: policy, clock: subject.clock)
    }

    /// Kills the process and starts another one.
    func killed(
        limitingFlushes: Bool = false, isolation: isolated any Actor
    ) async throws -> EngineLife {
        try await Self.begin(
            subject, storage.reopened(), limitingFlushes: limitingFlushes, isolation: isolation)
    }

    /// Saves everything, kills the process, and starts another one, in which the active tabs then
    /// have their pages.
    func relaunched(isolation: isolated any Actor) async throws -> EngineLife {
        try await restorer.save()
        let next = try await killed(isolation: isolation)
        for tab in next.windows.windows.compactMap(\.tabs.activeTab) {
            try await next.arrival(of: tab)
        }
        return next
    }

    /// Lets the engine and the restorer run until the condition holds or nothing more happens.
    func wait(until condition: () -> Bool) async {
        for _ in 0..<4 where !condition() {
            await restorer.waitUntilIdle()
            await subject.wait(until: condition)
        }
    }

    // MARK: Steps

    /// Returns the regular window, and opens one if there is none.
    func window() throws -> Window { try windows.first ?? opened(in: windows) }

    private func opened(in list: WindowList) throws -> Window {
        let window = try list.open()
        window.tabs.addObserver(events)
        return window
    }

    /// Opens a tab in front, with its page.
    func open(_ page: TestPage, isPrivate: Bool = false) async throws -> Tab {
        let list = windows.incognito
        let window =
            try isPrivate ? list.first ?? opened(in: list) : self.window()
        let tab = try window.tabs.open(subject.address(of: page))
        try await arrival(of: tab)
        return tab
    }

    /// Navigates the tab to another page.
    func visit(_ page: TestPage, in tab: Tab) async throws {
        tab.page?.load(subject.address(of: page))
        await wait { tab.url == self.subject.address(of: page) && !tab.isLoading }
        try expect(tab.url == subject.address(of: page), "a page that was loaded is not shown")
    }

    func go(by steps: Int, to page: TestPage, in tab: Tab) async throws {
        tab.page?.go(by: steps)
        await wait { tab.url == self.subject.address(of: page) && !tab.isLoading }
        try expect(
            tab.url == subject.address(of: page),
            "going \(steps) in the history shows '\(tab.url)', not \(subject.address(of: page))")
    }

    /// Waits for the page of a tab that is realized or becomes realized.
    func arrival(of tab: Tab) async throws {
        await wait { tab.isRealized && !tab.isLoading && tab.pageHasCome }
        try expect(tab.isRealized, "the tab has no page")
    }

    func view(_ tab: Tab) throws -> View {
        guard let view = engine.view(of: tab) else {
            throw EngineCaseEnd.violated("the tab has no view")
        }
        return view
    }

    func scroll(_ tab: Tab, to position: Int) async throws {
        await subject.scroll(try view(tab), of: engine, to: position)
    }

    func expectScroll(_ tab: Tab, at position: Int) async throws {
        let view = try view(tab)
        var last: Int?
        for _ in 0..<40 {
            last = await subject.scrollPosition(view)
            if let last, abs(last - position) <= 2 { return }
            await subject.passTime(.milliseconds(50))
        }
        throw EngineCaseEnd.violated("the page is scrolled to \(last ?? -1), not to \(position)")
    }

    func addresses(_ pages: [TestPage]) -> [String] { pages.map(subject.address) }

    func expectHistory(_ tab: Tab, _ pages: [TestPage], at index: Int) throws {
        guard let history = tab.page?.history else { throw EngineCaseEnd.violated("no page") }
        try expect(
            history.entries.map(\.url) == addresses(pages) && history.currentIndex == index,
            """
            the history is \(history.entries.map(\.url)) at \(history.currentIndex ?? -1), not \
            \(addresses(pages)) at \(index)
            """)
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw EngineCaseEnd.violated(message()) }
    }

    func require(_ answer: Bool, _ what: String) throws {
        if !answer { throw EngineCaseEnd.notApplicable(what) }
    }
}

/// Records the events of tabs.
final class TabEvents: TabListObserver {
    private(set) var all: [(tab: TabID, event: TabEvent)] = []

    func tabList(_ list: TabList, did change: TabListChange) {
        if case .tab(let tab, let event) = change { all.append((tab.id, event)) }
    }

    func forget() { all = [] }

    /// The events that cause a save.
    var changes: [TabEvent] {
        all.map(\.event).filter { [.navigated, .stateChanged].contains($0) }
    }
}

extension Tab {
    /// Whether a page is shown, or is known not to arrive.
    fileprivate var pageHasCome: Bool {
        switch pageLoad {
        case .none: page?.hasArrived ?? false
        case .loading: false
        case .failed, .crashed, .becameDownload: true
        }
    }
}
