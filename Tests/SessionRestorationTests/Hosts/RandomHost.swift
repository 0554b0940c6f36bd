import BrowserModel
import BrowserSessions
import SessionSamples
import SessionTesting
import Testing

@testable import SessionRestoration

/// A host that does what a seed says, with a model of what its user had.
@MainActor
final class RandomHost {
    struct Failure: Error { var text: String }

    let maximumBytes: Int
    /// The structure that its windows show. Only one that shows more than groups makes more.
    let rules: StructureRules
    let reopen: (any SessionStorage) async throws -> any SessionStorage
    /// Whether it takes restore points and goes back, and a program closes tabs. Older seeds did not.
    let goesBack: Bool
    var generator: SeededGenerator
    var host: Host
    var storage: FaultyStorage
    /// Storages that another took the place of, and that may still hang.
    var retired: [FaultyStorage] = []
    var timelines: [StoragePartition: HostTimeline] = [
        .regular: HostTimeline(), .incognito: HostTimeline(),
    ]
    /// Which picture the set has that is on its way.
    var sending: [StoragePartition: Int] = [:]
    var closed: [ClosedPicture] = []
    var closedWindows: [SessionID: WindowPicture] = [:]
    var detachedTabs: [(tab: Tab, was: TabMetadata, origin: SessionID?)] = []
    var states: [TabID: TabState] = [:]
    var realized: Set<TabID> = []
    /// Tabs for which the store may have refused something.
    var refused: Set<TabID> = []
    var names = 0
    /// What the feed of durable changes reported of the store in use.
    var heard = HeardStore()
    private(set) var log: [String] = []

    /// - Parameter reopen: opens the store once more after a kill, when the former one is not used
    ///   any more.
    init(
        seed: UInt64, rules: StructureRules = .flatGroups, goesBack: Bool = true,
        over base: any SessionStorage,
        reopen: @escaping (any SessionStorage) async throws -> any SessionStorage
    ) {
        generator = SeededGenerator(seed: seed)
        self.reopen = reopen
        self.goesBack = goesBack
        self.rules = rules
        storage = FaultyStorage(base)
        maximumBytes = base.traits.maximumStateBytes
        host = Host(storage: storage, policy: Self.policy(boot: 0))
        host.windows.structureRules = rules
        host.restorer.addObserver(self)
    }

    static func policy(boot: Int) -> RestorationPolicy {
        var policy = RestorationPolicy()
        policy.closingGrace = nil
        // Every kill looks like a restart of the system: none of them is a crash.
        policy.launchEnvironment = LaunchEnvironment(bootID: "boot \(boot)", processID: 1)
        policy.closed.maximumTabs = 12
        // What delayed saves save is durable only with the next one that somebody awaits.
        if boot.isMultiple(of: 2) { policy.durability = .memory }
        return policy
    }

    var windows: WindowList { host.windows }
    var restorer: SessionRestorer { host.restorer }

    func note(_ step: String) { log.append(step) }

    func fail(_ text: String) -> Failure { Failure(text: text) }

    // MARK: Chance

    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }

    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    func pick<Element>(_ elements: some Collection<Element>) -> Element? {
        elements.randomElement(using: &generator)
    }

    func name() -> String {
        names += 1
        return "p\(names)"
    }

    // MARK: Looking

    /// Writes down what the user has now.
    func look() throws {
        for window in windows.windows {
            for tab in window.tabs.tabs { try look(at: tab) }
        }
        for key in detachedTabs { try look(at: key.tab) }
        for partition in StoragePartition.allCases {
            timelines[partition]?.append(picture(partition))
        }
    }

    private func look(at tab: Tab) throws {
        guard let page = tab.page else {
            realized.remove(tab.id)
            return
        }
        let state = page.captureState()
        if realized.insert(tab.id).inserted, let known = states[tab.id],
            state != known.saved(maximumBytes), state != known
        {
            throw fail("tab \(tab.url) was realized with \(state), not \(known)")
        }
        states[tab.id] = state
    }

    func picture(_ partition: StoragePartition) -> HostPicture {
        var picture = HostPicture()
        picture.windows = windows.windows.filter { $0.kind.partition == partition }
            .map { WindowPicture($0) }
            .sorted {
                ($0.attributes.createdAt, $0.id) < ($1.attributes.createdAt, $1.id)
            }
        picture.detachedTabs = detachedTabs.filter {
            ($0.tab.isIncognito == true) == (partition == .incognito)
        }
        .map { key in
            var metadata = key.tab.metadata
            metadata.isPinned = key.was.isPinned
            metadata.group = key.was.group
            return DetachedTabPicture(metadata: metadata, origin: key.origin)
        }
        if partition == .regular {
            picture.closed = closed
            picture.closedWindows = closedWindows
        }
        picture.states = states
        return picture
    }

    // MARK: Waiting

    /// Waits until all that was going to happen has happened.
    func finishSaves() async throws {
        await restorer.waitUntilIdle()
        if Task.isCancelled { throw fail("the restorer never became idle") }
        try look()
        let told = restorer.closed.tabs.reversed().map(\.id)
        guard told == closed.map(\.id) else {
            throw fail("recently closed: \(told), not \(closed.map(\.id))")
        }
    }
}

extension RandomHost: @MainActor SessionRestorerObserver {
    func restorer(_ restorer: SessionRestorer, did event: RestorationEvent) {
        guard restorer === self.restorer else { return }
        switch event {
        case .willSave(let partition): sending[partition] = timelines[partition]?.last
        case .saved(let summary):
            if let number = sending[summary.partition] {
                timelines[summary.partition]?.acknowledge(number)
            }
        case .becameDurable(let changes): heard.hear(changes)
        case .incognitoDeleted: timelines[.incognito]?.acknowledgeLastEmpty()
        default: break
        }
    }
}
