import BrowserSessions

extension CaseContext {
    /// Frees the store for another owner.
    func takeOver(_ location: String) async throws {
        guard let takeOver = harness.takeOver else {
            throw HarnessFault("the harness cannot take a store from its owner")
        }
        do {
            try await takeOver(location)
        } catch {
            throw HarnessFault("takeOver failed: \(error)")
        }
    }

    /// Opens the store as the new owner, even if another has it.
    func succeed(at location: String) async throws -> any SessionStorage {
        try await takeOver(location)
        return try await openFreed(location)
    }

    /// Opens a store that was taken from its owner.
    func openFreed(_ location: String) async throws -> any SessionStorage {
        do {
            return try await open(location)
        } catch {
            throw Violation("the store was taken from its owner, and opening threw: \(error)")
        }
    }

    /// The levels at which saves outlive their owner, the lowest first.
    var lastingLevels: [Durability] {
        let lowest = min(.processCrash, traits.greatestDurability)
        return traits.durability.filter { $0 >= lowest }.sorted()
    }

    /// Whether incognito sessions outlive the owner that saved them.
    var keepsIncognitoOfOthers: Bool {
        traits.incognitoDurability >= min(.processCrash, traits.greatestDurability)
    }

    /// Saves at the lowest level that outlives its owner.
    func saveLastingly(_ changes: SessionChanges, in store: any SessionStorage)
        async throws(StorageError)
    {
        _ = try await store.save(changes, durability: lastingLevels.first ?? .memory)
    }
}
