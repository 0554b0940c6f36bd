import BrowserSessions

/// CONCURRENCY-1 and 8: many tasks on one handle.
extension ConformanceSuite {
    private static let session = SessionID(window: WindowID(high: 0xCC, low: 1))

    @Sendable static func manyWriters(_ context: CaseContext) async throws {
        let (tasks, saves) = (12, 5)
        let store = try await context.openNew()
        let places = OrderKey.evenlySpaced(count: tasks * saves)
        let levels = context.traits.durability.union([.memory]).sorted()
        let numbers = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var numbers: [UInt64] = []
                    for number in task * saves..<(task + 1) * saves {
                        let tab = TabMetadata(
                            id: TabID(high: 1, low: UInt64(number)), place: places[number],
                            title: "\(number)")
                        let key = TabStateKey(tab: tab.id, name: .native, in: session)
                        let changes = SessionChanges(
                            .put(tab, in: session), .putState([UInt8(number)], for: key))
                        let level = levels[number % levels.count]
                        let receipt = try await store.save(changes, durability: level)
                        try require(
                            receipt.durability >= level, "less than asked: \(receipt.durability)")
                        numbers.append(receipt.sequence)
                        let tabs = try await store.restore(session)?.tabs ?? []
                        let state = try await store.state(of: key)
                        try require(
                            tabs.contains(tab) && state == [UInt8(number)],
                            "an update was lost: a tab or its state is missing at once")
                    }
                    return numbers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try requireEqual(
            numbers.sorted(), Array(1...UInt64(tasks * saves)),
            "an update was lost: the numbers of the receipts")
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
}
