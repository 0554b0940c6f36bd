import BrowserSessions

/// The calls of workflows to the store, monitored by the coordinator.
///
/// Each call runs in a separate task, so cancelling the caller's task does not stop the call.
struct StoreCalls {
    unowned let driver: SaveDriver

    /// Calls the storage.
    ///
    /// Throws the storage's errors, or `unavailable` with an unknown effect if the storage did not
    /// answer in time or was replaced.
    ///
    /// - Parameter partition: the partition that the call changes in its turn; `nil` for a call
    ///   that only reads.
    func call<Answer: Sendable>(
        changing partition: StoragePartition? = nil,
        _ call: @escaping @Sendable (any SessionStorage) async throws -> Answer
    ) async throws(StorageError) -> Answer {
        let answer = AwaitedAnswer<Answer>()
        let ending = AwaitedAnswer<Void>()
        let (number, storage) = (driver.newNumber(), driver.storage)
        driver.began(answer, number, changing: partition)
        Task.detached {
            let outcome = await outcome { try await call(storage) }
            ending.give(.success(()))
            answer.give(outcome)
        }
        let result = await answer.value()
        if ending.outcome != nil { driver.ended(number) } else { watch(ending, number) }
        return try result.get()
    }

    /// Waits for the storage to end a call that was given up.
    private func watch(_ ending: AwaitedAnswer<Void>, _ number: Int) {
        guard driver.coordinator.calls.isKnown(number) else { return }
        weak let driver = driver
        _ = driver?.work.run {
            try await ending.value().get()
        } then: { _ in
            driver?.ended(number)
        }
    }

    /// Runs calls that belong together and change a partition, after all earlier ones.
    func inTurn<Answer, Failure: Error>(
        _ partition: StoragePartition, _ work: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let number = await driver.request { .turnRequested($0, partition) }.number
        defer { driver.send(.turnEnded(number)) }
        return try await work()
    }

    /// Sends a change set that no window waits for, such as tabs that are set aside. The caller
    /// must have the turn of the regular partition.
    func apply(
        _ changes: SessionChanges, _ durability: Durability? = nil
    ) async throws(StorageError) {
        let durability = durability ?? driver.traits.greatestDurability
        try await driver.request { .transferRequested($0, changes, durability) }.answer.get()
    }

    func sessions() async throws(StorageError) -> [SessionID] {
        try await call { try await $0.sessions() }
    }

    /// Returns the sessions that the regular partition has, or will have after all pending changes are saved.
    func knownSessions() async throws(StorageError) -> [SessionID] {
        // In turn, because a change set that is being sent is neither pending nor in the store.
        let saved = try await inTurn(.regular) { () throws(StorageError) in
            try await sessions()
        }
        let regular = driver.coordinator.regular
        return Set(saved.filter { $0.partition == .regular })
            .union(regular.sessions.keys)
            .union(regular.tabs.values.compactMap(\.session)).sorted()
    }

    /// The number of session removals.
    var removals: Int {
        driver.coordinator.regular.removals + driver.coordinator.incognito.removals
    }

    /// Returns a session; `nil` if the store does not have it.
    func restore(
        _ id: SessionID, at version: SessionVersion = .current
    ) async throws(StorageError) -> RestoredSession? {
        try await call { try await $0.restore(id, at: version) }
    }

    /// Applies a change set after all earlier ones.
    func applyInTurn(_ changes: SessionChanges) async throws(StorageError) {
        try await inTurn(.regular) { () async throws(StorageError) in try await apply(changes) }
    }

    /// Saves pending changes before something is read from the store.
    func saveBeforeReading() async throws(StorageError) {
        if driver.coordinator.hasSomethingToSend { try await driver.save() }
    }

    /// Removes all traces of removed data from the files of the store.
    func eraseRemoved() async throws(StorageError) {
        _ = try await changing { try await $0.erase(.removedData) }
    }

    /// Calls the storage, which changes more than a set does, after all earlier changes.
    func changing<Answer: Sendable>(
        _ work: @escaping @Sendable (any SessionStorage) async throws -> Answer
    ) async throws(StorageError) -> Answer {
        try await inTurn(.regular) { () throws(StorageError) in
            try await call(changing: .regular, work)
        }
    }
}
