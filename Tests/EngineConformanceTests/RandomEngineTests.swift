import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionSamples
import SessionTesting
import TestSupport

/// Whatever a user and an engine do, what comes back is what there was.
@MainActor @Suite(.timeLimit(.minutes(30)))
struct RandomEngineTests {
    @Test(arguments: 0..<seeds)
    func everyPageComesBackAsItWas(seed: Int) async throws {
        var life = try await RandomEngineLife(seed: UInt64(seed))
        for _ in 0..<6 {
            for _ in 0..<25 { try await life.act() }
            try await life.die()
        }
    }
}

private let seeds = TestRun.amount(40, nightly: 500)

/// A page as the user sees it.
private struct Sight: Equatable {
    var history: [String]
    var index: Int?
    var scroll: Int?
}

@MainActor
private struct RandomEngineLife {
    private let web = SimulatedWeb()
    private var engine: SimulatedEngine
    private var storage = MemoryStorage()
    private var windows = WindowList()
    private var restorer: SessionRestorer
    private let clock = ManualClock()
    private var random: SeededGenerator
    /// What the tabs were like when they were seen last.
    private var seen: [TabID: Sight] = [:]
    private var done: [String] = []

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        web.answers["https://failing.example/"] = .failure("nothing answers")
        web.answers["https://away.example/"] = .redirect("https://0.example/")
        engine = SimulatedEngine(web)
        windows.webEngine = engine
        restorer = SessionRestorer(windows: windows, storage: storage, clock: clock)
        try await restorer.restore()
        try open()
    }

    private var tabs: TabList {
        get throws { try (windows.first ?? windows.open()).tabs }
    }

    private mutating func address() -> String {
        switch random.integer(in: 0...9) {
        case 0: "https://failing.example/"
        case 1: "https://away.example/"
        default: "https://\(random.integer(in: 0...30)).example/"
        }
    }

    private mutating func open() throws {
        let address = address()
        done.append("open \(address)")
        try tabs.open(address)
    }

    /// A tab with a history from elsewhere.
    private mutating func adopt() throws {
        let entries = (0..<random.integer(in: 2...5)).map { _ in NavigationEntry(url: address()) }
        let index = random.integer(in: 0...entries.count - 1)
        let tab = restorer.states.createUnrealizedTab(
            TabMetadata(id: .random(), place: .between(nil, and: nil), url: entries[index].url),
            state: TabState(history: NavigationHistory(entries: entries, currentIndex: index)))
        try tabs.insert(tab)
        done.append("adopt \(entries.map(\.url)) at \(index)")
        seen[tab.id] = Sight(history: entries.map(\.url), index: index)
    }

    mutating func act() async throws {
        let tab = random.pick(Array(try tabs))
        let view = engine.view(of: tab)
        switch random.integer(in: 0...13) {
        case 0: try open()
        case 1: try adopt()
        case 2, 3:
            let address = address()
            done.append("load \(address) in \(tab.id)")
            tab.page?.load(address)
        case 4, 5:
            let steps = random.integer(in: -3...2)
            done.append("go \(steps) in \(tab.id)")
            tab.page?.go(by: steps)
        case 6, 7:
            guard let view, !tab.isLoading, tab.pageLoad != .crashed else { return }
            done.append("scroll \(tab.id)")
            engine.scroll(view, to: random.integer(in: 1...2000))
        case 8:
            guard let view, !tab.isLoading else { return }
            done.append("end \(tab.id)")
            engine.endProcess(of: view)
        case 9:
            done.append("reload \(tab.id)")
            tab.page?.reload()
        case 10:
            guard !tab.isLoading, tab.pageLoad != .crashed else { return }
            look(at: tab)
            done.append("unload \(tab.id)")
            try? await restorer.realizedTabs.unload(tab)
        case 11:
            done.append("push in \(tab.id)")
            if let view, !tab.isLoading, tab.pageLoad == .none, !view.url.isEmpty {
                engine.push("https://pushed.example/\(done.count)", in: view)
            }
        default: try await show(tab)
        }
        if random.chance(2, in: 3) { engine.runUntilIdle() }
    }

    /// The user selects the tab, and sees it as it was.
    private mutating func show(_ tab: Tab) async throws {
        done.append("show \(tab.id)")
        let wasRealized = tab.isRealized
        try tabs.activate(tab)
        await restorer.waitUntilIdle()
        engine.runUntilIdle()
        guard !wasRealized, let before = seen[tab.id], case .none = tab.pageLoad else { return }
        let now = sight(of: tab)
        // Redirects lead elsewhere, and a page that only had an address has no place.
        guard !before.history.contains("https://away.example/") else { return }
        try check(now.history == before.history && now.index == before.index, tab, before, now)
        if let scroll = before.scroll { try check(now.scroll == scroll, tab, before, now) }
    }

    private func check(_ condition: Bool, _ tab: Tab, _ before: Sight, _ now: Sight) throws {
        guard !condition else { return }
        throw Wrong(text: "\(tab.id) was \(before) and is \(now) after \(done.suffix(60))")
    }

    private struct Wrong: Error { var text: String }

    private func sight(of tab: Tab) -> Sight {
        let history = tab.page?.history ?? NavigationHistory()
        return Sight(
            history: history.entries.map(\.url), index: history.currentIndex,
            scroll: engine.view(of: tab)?.scroll)
    }

    private mutating func look(at tab: Tab) {
        guard tab.isRealized else { return }
        var sight = sight(of: tab)
        // A page that has not come, or has no process, has no visible place.
        if tab.pageLoad != .none { sight.scroll = nil }
        seen[tab.id] = sight
    }

    /// Everything is saved, the process is killed, and another one begins.
    mutating func die() async throws {
        if random.chance(1, in: 2) { engine.runUntilIdle() }
        for tab in try tabs { look(at: tab) }
        try await restorer.save()
        done.append("killed")
        storage = storage.reopened()
        windows = WindowList()
        engine = SimulatedEngine(web)
        var policy = RestorationPolicy()
        policy.crashes.isDevelopment = true
        windows.webEngine = engine
        restorer = SessionRestorer(
            windows: windows, storage: storage, policy: policy, clock: clock)
        try await restorer.restore()
        engine.runUntilIdle()
        for tab in try tabs where random.chance(1, in: 3) { try await show(tab) }
    }
}
