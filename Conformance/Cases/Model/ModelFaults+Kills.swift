#if FaultyBackends
    import BrowserSessions
    import LocalFiles
    import StorageEngines

    /// Writes every other set without a commit id only at the next call.
    struct HoldsOtherSaveBack: StorageDecorator {
        let base: any SessionStorage
        private let memory = FaultMemory(Memory())

        private struct Memory: Sendable {
            var count = 0
            var sequences: [StoragePartition: UInt64] = [:]
            var held: (changes: SessionChanges, durability: Durability)?
        }

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            try await flush()
            let next: UInt64? = memory.use { memory in
                guard !changes.isEmpty, changes.commitID == nil, changes.expectedSequence == nil,
                    let last = memory.sequences[changes.partition]
                else { return nil }
                memory.count += 1
                guard memory.count.isMultiple(of: 2) else { return nil }
                memory.held = (changes, durability)
                return last + 1
            }
            if let next { return SaveReceipt(sequence: next, durability: durability) }
            let receipt = try await base.save(changes, durability: durability)
            if !changes.isEmpty {
                memory.use { $0.sequences[changes.partition] = receipt.sequence }
            }
            return receipt
        }

        private func flush() async throws(StorageError) {
            let held = memory.use { memory in
                let held = memory.held
                memory.held = nil
                return held
            }
            guard let held else { return }
            let receipt = try await base.save(held.changes, durability: held.durability)
            memory.use { $0.sequences[held.changes.partition] = receipt.sequence }
        }

        func sessions() async throws(StorageError) -> [SessionID] {
            try await flush()
            return try await base.sessions()
        }

        func deleteIncognito() async throws(StorageError) {
            try await flush()
            try await base.deleteIncognito()
            memory.use { $0.sequences[.incognito] = nil }
        }

        func check() async throws(StorageError) -> RecoveryReport {
            try await forget()
            return try await base.check()
        }

        func repair() async throws(StorageError) -> RecoveryReport {
            try await forget()
            return try await base.repair()
        }

        private func forget() async throws(StorageError) {
            try await flush()
            memory.use { $0.sequences = [:] }
        }

        func close() async throws(StorageError) {
            try await flush()
            try await base.close()
        }
    }

    /// Treats repeated sets as new ones after opening a store that was not closed.
    struct ForgetsCommitsAfterKill: StorageDecorator {
        let base: any SessionStorage
        private let mark: String
        private let wasKilled: Bool

        init(_ configuration: StorageConfiguration) throws(StorageError) {
            base = try ReferenceEngine.open(configuration)
            mark = "\(configuration.location)/in-use"
            wasKilled = try FileSystem.exists(mark)
            try FileSystem.replace(mark, with: [])
        }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            var changes = changes
            if wasKilled, let id = changes.commitID {
                changes.commitID = CommitID(high: ~id.high, low: id.low)
            }
            return try await base.save(changes, durability: durability)
        }

        func close() async throws(StorageError) {
            try await base.close()
            try FileSystem.remove(mark)
        }
    }

    /// Keeps the title of a tab in a refused set, and uses it when a later set puts the tab.
    struct RemembersRefusedTitles: StorageDecorator {
        let base: any SessionStorage
        private let titles = FaultMemory([TabID: String]())

        init(base: any SessionStorage) { self.base = base }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let altered = titles.use { titles in
                changes.changes.map { change in
                    guard case .putTab(var tab, let session) = change else { return change }
                    tab.title = titles[tab.id] ?? tab.title
                    return .putTab(tab, in: session)
                }
            }
            do {
                let receipt = try await base.save(
                    changes.replacing(altered), durability: durability)
                titles.use { $0 = [:] }
                return receipt
            } catch {
                titles.use { titles in
                    for case .putTab(let tab, _) in changes.changes { titles[tab.id] = tab.title }
                }
                throw error
            }
        }
    }
#endif
