import BrowserSessions

/// CONCURRENCY-3 to 7: one store, several openers.
extension ConformanceSuite {
    @Sendable static func secondOpening(_ context: CaseContext) async throws {
        let sets = NumberedSets()
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        _ = try await store.save(sets.changes(1))
        let before = try LocationFiles(location)
        for _ in 1...2 { try await requireLocked(context, location) }
        try requireUnchanged(before, location)
        _ = try await store.save(sets.changes(2))
        try requireEqual(try await sets.lastApplied(in: store), 2, "the first handle's last set")
        let again = try await context.reopen(store, at: location)
        try requireEqual(try await sets.lastApplied(in: again), 2, "the last set after reopening")
        try await again.close()
    }

    @Sendable static func manyOpenings(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let opened = try await withThrowingTaskGroup(of: (any SessionStorage)?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        return try await context.open(location)
                    } catch let error as StorageError where error.code == .locked {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        for store in opened { try await store.close() }
        try requireEqual(opened.count, 1, "how many of eight openers got a second handle or none")
    }

    @Sendable static func heldElsewhere(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let holder = try await startHolder(context, location)
        let before = try LocationFiles(location)
        for _ in 1...2 { try await requireLocked(context, location) }
        try requireUnchanged(before, location)
        await holder.kill()
    }

    @Sendable static func killedIsFree(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        for _ in 1...2 {
            let holder = try await startHolder(context, location)
            await holder.kill()
            try await requireSuccess("the holder was killed, and opening threw") {
                try await context.open(location).close()
            }
        }
    }

    @Sendable static func failedOpening(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        try await requireLocked(context, location)
        for _ in 1...2 {
            let other = try context.startChild(Worker.tryOpening.name, at: location)
            let answer = await other.nextLine()
            _ = await other.end()
            guard let answer else { throw HarnessFault("the process said nothing") }
            try requireEqual(answer, "locked", "another process, after a failed opening")
        }
        try await store.close()
    }

    /// Starts a process that holds the store.
    private static func startHolder(_ context: CaseContext, _ location: String) async throws
        -> ChildProcess
    {
        let holder = try context.startChild(Worker.holder.name, at: location)
        let line = await holder.nextLine()
        guard line == "held" else {
            await holder.kill()
            throw Violation("another process could not open the store: \(line ?? "no answer")")
        }
        return holder
    }

    private static func requireLocked(_ context: CaseContext, _ location: String) async throws {
        let start = ContinuousClock.now
        do {
            try await context.open(location).close()
        } catch let error as StorageError {
            try requireEqual(error.code, .locked, "the code of a second opening")
            try require(
                ContinuousClock.now - start < .seconds(60), "a second opening waited for the first")
            return
        }
        throw Violation("a second handle was opened")
    }

    private static func requireUnchanged(_ before: LocationFiles, _ location: String) throws {
        let after = try LocationFiles(location)
        try require(
            after == before,
            "a second opening changed the store: \(after.difference(from: before) ?? "its lock")")
    }
}

extension Worker {
    static let concurrency: [Worker] = [holder, tryOpening]

    /// Opens the store, saves, and holds it until it is killed.
    static let holder = Worker(name: "concurrency.holder") { order, harness in
        let store = try await harness.open(StorageConfiguration(location: order.location))
        _ = try await store.save(NumberedSets().changes(1))
        // Before the announcement, so that nothing the store does later appears as a change.
        _ = try await NumberedSets().lastApplied(in: store)
        ConformanceChild.report("held")
        // waits: a child lives until it is killed
        while true { try await Task.sleep(for: .seconds(3600)) }
        _ = store.traits
    }

    /// Opens the store and reports the result.
    static let tryOpening = Worker(name: "concurrency.try") { order, harness in
        do {
            try await harness.open(StorageConfiguration(location: order.location)).close()
            ConformanceChild.report("opened")
        } catch {
            ConformanceChild.report((error as? StorageError)?.code.rawValue ?? "failed")
        }
    }
}
