import BrowserSessions
import ChildProcesses
import Foundation
import SessionSamples
import StorageEngines

/// Kills while a store with thousands of tabs is opened, saved to, and closed. Engines then write
/// snapshots, tables, and checkpoints that are many times larger than a save.
enum ManyTabs {
    /// Returns the window for a number of tabs.
    fileprivate static func window(_ tabs: Int) -> SessionSnapshot {
        var sampler = SessionSampler(seed: 11)
        return sampler.window(tabs: tabs, state: .blobs(100...300))
    }

    @Sendable static func kills(_ context: CaseContext) async throws {
        let tabs = context.amount(300, full: 3000, long: 10_000)
        let filled = try await context.makeLocation("killed")
        _ = try await run(context, filled, tabs, fault: nil, fills: true)
        let count = try await calls(context, filled, tabs)
        // Evenly among all calls.
        let kills = min(context.amount(6, full: 100), count)
        for kill in 0..<kills {
            let fault = InjectedFault(
                calls: .changes, at: 1 + kill * count / kills, effect: .killWithin)
            try await inCopy(of: filled, context) { location in
                _ = try await run(context, location, tabs, fault: fault)
                try await judge(context, location, tabs, "a kill at change \(fault.at) of \(count)")
            }
        }
        context.note("\(kills) kills among \(count) changes of a store with \(tabs) tabs")
    }

    /// Returns how many file changes it takes to open, save to, and close the store.
    private static func calls(_ context: CaseContext, _ filled: String, _ tabs: Int) async throws
        -> Int
    {
        var count = 0
        try await inCopy(of: filled, context) { location in
            let lines = try await run(context, location, tabs, fault: nil)
            let changes = lines.first { $0.hasPrefix("changes ") }?.dropFirst("changes ".count)
            guard let number = changes.flatMap({ Int($0) }), number > 0 else {
                throw NotTried("the store makes no changes that can be followed")
            }
            count = number
            try await judge(context, location, tabs, "without a kill")
        }
        return count
    }

    private static func inCopy(
        of filled: String, _ context: CaseContext, _ work: (String) async throws -> Void
    ) async throws {
        let location = try await context.makeLocation()
        try FileSystem.remove(location)
        try FileSystem.copy(filled, to: location)
        try await work(location)
        try await context.remove(location)
    }

    private static func run(
        _ context: CaseContext, _ location: String, _ tabs: Int, fault: InjectedFault?,
        fills: Bool = false
    ) async throws -> [String] {
        let life = Life(tabs: tabs, fault: fault, fills: fills)
        let text = String(decoding: try JSONEncoder().encode(life), as: UTF8.self)
        let child = try context.startChild(
            Worker.manyTabs.name, at: location, options: ["life": text])
        let lines = await child.remainingLines()
        let end = await child.end()
        guard end == .exited(0) || end == .signal(SIGKILL) else {
            throw Violation("the process \(end): \(child.errorTail)")
        }
        return lines
    }

    private static func judge(
        _ context: CaseContext, _ location: String, _ tabs: Int, _ what: String
    ) async throws {
        let store = try await requireSuccess("\(what): the store cannot be opened") {
            try await context.open(location)
        }
        let session = try await requireSuccess(
            "\(what): of \(tabs) tabs are there none that can be read"
        ) {
            try await store.restore(window(tabs).id)
        }
        try require(
            session?.tabs.count == tabs && session?.provenance == .intact,
            "\(what): \(session?.tabs.count ?? 0) of \(tabs) tabs are there")
        let report = try await store.check()
        try require(
            report.losses.isEmpty && report.quarantined.isEmpty,
            "\(what): it is called damage: \(report.notes.joined(separator: "; "))")
        try await store.close()
    }

    /// The work of a process.
    fileprivate struct Life: Codable {
        var tabs: Int
        var fault: InjectedFault?
        /// Whether it fills the store and is killed before closing it.
        var fills: Bool

        func live(_ order: ChildOrder, _ harness: any StorageHarness) async throws {
            try DiskTrace.begin(at: order.location, to: "/dev/null")
            (fault ?? InjectedFault(calls: .changes, at: .max, effect: .killBefore)).begin()
            let store = try await harness.open(StorageConfiguration(location: order.location))
            let window = ManyTabs.window(tabs)
            if fills {
                _ = try await store.save(window.creation, durability: .powerLoss)
                kill(getpid(), SIGKILL)
            }
            var changes = SessionChanges()
            for tab in window.tabs.prefix(tabs / 2) {
                var metadata = tab.metadata
                metadata.title += "!"
                changes.put(metadata, in: window.id)
            }
            _ = try await store.save(changes, durability: .powerLoss)
            try await store.close()
            ConformanceChild.report("changes \(InjectedFault.count)")
        }
    }
}

extension Worker {
    static let manyTabs = Worker(name: "power.manyTabs") { order, harness in
        guard let text = order.options["life"] else {
            throw HarnessFault("the order of power.manyTabs is not whole")
        }
        let life = try JSONDecoder().decode(ManyTabs.Life.self, from: Data(text.utf8))
        try await life.live(order, harness)
    }
}
