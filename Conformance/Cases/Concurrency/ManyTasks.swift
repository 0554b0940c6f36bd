import BrowserSessions
import Synchronization

/// CONCURRENCY-1, 2 and 8: many tasks on one handle.
extension ConformanceSuite {
    private static let session = SessionID(window: WindowID(high: 0xCC, low: 1))

    @Sendable static func manyWriters(_ context: CaseContext) async throws {
        let (tasks, saves) = (12, 5)
        let store = try await context.openNew()
        let places = OrderKey.evenlySpaced(count: tasks * saves)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in task * saves..<(task + 1) * saves {
                        let tab = TabMetadata(
                            id: TabID(high: 1, low: UInt64(number)), place: places[number],
                            title: "\(number)")
                        let key = TabStateKey(tab: tab.id, name: .native, in: session)
                        var changes = SessionChanges()
                        changes.put(tab, in: session)
                        changes.put([UInt8(number)], for: key)
                        _ = try await store.save(changes)
                        let tabs = try await store.restore(session)?.tabs ?? []
                        try require(
                            tabs.contains(tab), "an update was lost: a tab is missing at once")
                        try requireEqual(
                            try await store.state(of: key), [UInt8(number)],
                            "an update was lost: the state of a tab")
                    }
                }
            }
            try await group.waitForAll()
        }
        let titles = try await store.restore(session)?.tabs.map(\.title)
        try requireEqual(
            titles, (0..<tasks * saves).map { "\($0)" }, "an update was lost: the tabs at the end")
        try await store.close()
    }

    @Sendable static func countWithExpectedSequence(_ context: CaseContext) async throws {
        let (tasks, steps) = (4, 6)
        let store = try await context.openNew()
        let level = try unwrap(context.traits.durability.min(), "the store claims no durability")
        // Two that have both read before either saves, in any schedule of the tasks below.
        let (one, other) = (try await count(store, level), try await count(store, level))
        try require(
            try await add(to: one, store, level), "a save met a conflict without another save")
        if try await !add(to: other, store, level) { _ = try await increment(store, level) }
        let conflicts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    var conflicts = 0
                    for _ in 0..<steps { conflicts += try await increment(store, level) }
                    return conflicts
                }
            }
            return try await group.reduce(0, +)
        }
        let title = try await store.restore(session)?.attributes.title
        try requireEqual(title, "\(tasks * steps + 2)", "an increment was lost: the count")
        context.note("\(tasks * steps) increments by \(tasks) tasks met \(conflicts) conflicts")
        try await store.close()
    }

    /// Adds one to the number in the session's title; returns how often other tasks were faster.
    private static func increment(_ store: any SessionStorage, _ level: Durability) async throws
        -> Int
    {
        var conflicts = 0
        while try await !add(to: count(store, level), store, level) { conflicts += 1 }
        return conflicts
    }

    /// Returns the number in the title, and the partition's sequence number before it was read.
    private static func count(_ store: any SessionStorage, _ level: Durability) async throws
        -> (number: Int, sequence: UInt64)
    {
        // A set without changes returns the partition's sequence number.
        let sequence = try await store.save(SessionChanges(), durability: level).sequence
        let title = try await store.restore(session)?.attributes.title ?? "0"
        return (Int(title) ?? 0, sequence)
    }

    /// Saves the next number; returns `false` if another task was faster.
    private static func add(
        to count: (number: Int, sequence: UInt64), _ store: any SessionStorage, _ level: Durability
    ) async throws -> Bool {
        var changes = SessionChanges()
        changes.expectedSequence = count.sequence
        changes.put(SessionAttributes(title: "\(count.number + 1)"), for: session)
        do {
            _ = try await store.save(changes, durability: level)
            return true
        } catch {
            guard error.code == .conflict else { throw error }
            return false
        }
    }

    /// The number of reads that must overlap a save for the case to prove something.
    private static let leastOverlaps = 50

    @Sendable static func readersBesideWriter(_ context: CaseContext) async throws {
        let store = try await context.openNew()
        let sets = NumberedSets()
        _ = try await store.save(sets.changes(1))
        let progress = Progress()
        let overlaps = OverlapCount()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var newest = 1
                    while !progress.isDone {
                        var seen = newest
                        try await overlaps.reading { seen = try await readOnce(store, newest) }
                        progress.noteRead(sawNewSet: seen > newest)
                        newest = seen
                        // waits: a store that never suspends would keep others from a thread
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                defer { progress.finish() }
                for number in 2...3000 {
                    try await overlaps.writing { _ = try await store.save(sets.changes(number)) }
                    let isProof = progress.overlaps >= 20 && overlaps.count >= leastOverlaps
                    if number > 60 && isProof { return }
                }
            }
            try await group.waitForAll()
        }
        let met = overlaps.count
        context.note(
            "\(progress.reads) reads, \(met) met a save, \(progress.overlaps) saw a new set")
        try await store.close()
        guard met >= leastOverlaps else {
            throw HarnessFault("only \(met) reads met a save, which proves nothing")
        }
    }

    /// Reads both sessions and the states of both in one call; returns the number that it saw.
    private static func readOnce(_ store: any SessionStorage, _ newest: Int) async throws -> Int {
        var seen = newest
        for session in NumberedSets.sessions {
            let restored = try unwrap(try await store.restore(session), "a session is missing")
            let number = Int(restored.attributes.title) ?? 0
            // The sessions are read one after the other, so the second may be newer, never older.
            try require(
                number >= seen,
                "half a set was seen: set \(number) in one session after \(seen) in another")
            let tabs = restored.tabs.compactMap { Int($0.title) }.max()
            try requireEqual(tabs, number, "half a set was seen: the newest tab of a session")
            seen = number
        }
        let keys = NumberedSets.sessions.map { NumberedSets.stateKey(seen, in: $0) }
        let states = try await store.state(of: keys)
        try require(
            states[keys[0]] == states[keys[1]],
            "half a set was seen: states of two sessions are of different sets")
        return seen
    }
}

/// The progress of readers and a writer.
private final class Progress: Sendable {
    private let state = Mutex((isDone: false, reads: 0, overlaps: 0))

    var isDone: Bool { state.withLock { $0.isDone } }
    var reads: Int { state.withLock { $0.reads } }
    /// The number of reads that saw a set newer than the reader's last one.
    var overlaps: Int { state.withLock { $0.overlaps } }

    func finish() { state.withLock { $0.isDone = true } }

    func noteRead(sawNewSet: Bool) {
        state.withLock {
            $0.reads += 1
            if sawNewSet { $0.overlaps += 1 }
        }
    }
}
