import BrowserModel
import BrowserSessions
import SessionTesting

@testable import SessionRestoration

/// Kills, and what came back after them.
extension RandomHost {
    /// The process is killed, and the next one restores.
    func kill() async throws {
        note("KILL")
        let old = host
        let owes = old.restorer.context.saves.isDeletionPending
        let base = try await reopen(storage.base)
        for storage in retired + [storage] { storage.release() }
        retired = []
        storage = FaultyStorage(base)
        heard = try await HeardStore(base)
        names += 1
        let time = Timestamp(microseconds: old.clock.timestamp.microseconds + 1_000_000)
        host = Host(
            storage: storage, clock: ManualClock(timestamp: time), policy: Self.policy(boot: names))
        host.windows.structureRules = rules
        host.restorer.addObserver(self)
        sending = [:]
        if chance(8) { storage.fail(.deleteIncognito, with: StorageError(.failed, "error")) }
        if chance(8) {
            note("the next launch fails at first")
            storage.fail(.sessions, with: StorageError(.unavailable, "not yet"))
            _ = try? await restorer.restore()
        }
        try await restorer.restore()
        try await compare(owes)
    }

    private func compare(_ owes: Bool) async throws {
        detachedTabs = []
        closedWindows = [:]
        closed = restorer.closed.tabs.reversed().enumerated().map { index, tab in
            ClosedPicture(id: tab.id, url: tab.url, title: tab.title, closing: index)
        }
        var found: [StoragePartition: HostPicture] = [:]
        for partition in StoragePartition.allCases {
            found[partition] = try await match(partition, owes)
        }
        guard let regular = found[.regular], let incognito = found[.incognito] else { return }
        adopt(regular, incognito)
        await restorer.waitUntilIdle()
        try look()
        for partition in StoragePartition.allCases {
            timelines[partition]?.begin(with: picture(partition))
        }
        try await finishSaves()
        let doubles = try await everyTab().filter { $0.value > 1 }
        guard doubles.isEmpty else { throw fail("in the store more than once: \(doubles)") }
    }

    /// The picture that came back: of all since the last acknowledged one.
    private func match(_ partition: StoragePartition, _ owes: Bool) async throws -> HostPicture {
        let now = try await restored(partition)
        var reasons: [String] = []
        for then in timelines[partition]?.pictures.reversed() ?? [] {
            let comparison = HostComparison(
                now: now, then: then, partition: partition,
                returned: restorer.report?.returned ?? [],
                maximumBytes: maximumBytes, maximumTabs: restorer.policy.closed.maximumTabs,
                hasStructure: rules != .flatGroups)
            guard let reason = comparison.difference else { return then }
            reasons.append(reason)
        }
        if partition == .incognito, owes, now.isEmpty { return HostPicture() }
        throw fail(
            """
            what came back of the \(partition) partition is none of \(reasons.count) pictures:
            \(reasons.prefix(3).joined(separator: "\n"))
            """)
    }

    /// What came back, with what the store has of closed windows.
    private func restored(_ partition: StoragePartition) async throws -> HostPicture {
        var now = picture(partition)
        for window in windows.windows where window.kind.partition == partition {
            for tab in window.tabs.tabs {
                now.states[tab.id] = try await restorer.states.state(of: tab)
            }
        }
        guard partition == .regular else { return now }
        let closed = restorer.closed.tabs.map(\.metadata)
        let states = try await restorer.context.states(of: partition).loadStates(of: closed)
        now.states.merge(states) { _, stored in stored }
        for id in try await storage.base.sessions() where [.regular, .backup].contains(id.kind) {
            guard windows.window(id.window, kind: id.kind) == nil,
                let session = try await storage.base.restore(id, at: .current)
            else { continue }
            now.closedWindows[id] = WindowPicture(session)
        }
        return now
    }

    private func adopt(_ regular: HostPicture, _ incognito: HostPicture) {
        states = regular.states
        for tab in windows.windows.filter(\.isIncognito).flatMap(\.tabs.tabs) {
            states[tab.id] = incognito.states[tab.id]
        }
        let bytes = maximumBytes
        states = states.mapValues { $0.saved(bytes) }
        realized = []
        refused = []
        closedWindows = regular.closedWindows.mapValues(\.saved)
        let numbers = Dictionary(
            regular.closed.map { ($0.id, $0.closing) }, uniquingKeysWith: { first, _ in first })
        for index in closed.indices {
            names += 1
            closed[index].closing = numbers[closed[index].id] ?? names
        }
    }

    /// Every tab of the store, and how often it is there.
    func everyTab() async throws -> [TabID: Int] {
        var tabs: [TabID: Int] = [:]
        for id in try await storage.base.sessions() {
            let session = try await storage.base.restore(id, at: .current)
            for tab in session?.tabs ?? [] { tabs[tab.id, default: 0] += 1 }
        }
        return tabs
    }

    /// After everything was saved: the store has each tab once, and no other.
    func checkStore() async throws {
        let known = StoragePartition.allCases.flatMap { picture($0).tabs }
        let stored = try await everyTab()
        guard Set(known) == Set(stored.keys), stored.values.allSatisfy({ $0 == 1 }) else {
            let (missing, more) = (
                Set(known).subtracting(stored.keys), Set(stored.keys).subtracting(known)
            )
            throw fail("the store misses \(missing), has \(more) too many, in all \(stored)")
        }
    }
}

extension WindowPicture {
    init(_ session: RestoredSession) {
        self.init(session.id, session.attributes, session.nodes, session.tabs)
    }
}
