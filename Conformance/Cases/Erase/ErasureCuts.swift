import BrowserSessions

/// Power cuts during an erasure.
enum ErasureCuts {
    fileprivate static let sets = NumberedSets(stateBytes: 300, wanders: true)
    fileprivate static let filled = 8

    /// One process fills the store, another erases what was removed. The cuts are within the life
    /// of the second.
    @Sendable static func cuts(_ context: CaseContext) async throws {
        let canary = try ContentCanary(seed: context.seed, isIncognito: false)
        for model in DiskModel.allCases {
            var lab = try await PowerLab(context, model)
            guard let filling = try await lab.record(Worker.eraseFiller),
                let erasing = try await lab.record(
                    Worker.eraser, after: .recording(filling))
            else { return try lab.conclude() }
            let location = lab.location
            try await lab.cut(erasing, most: context.amount(15, full: 400, long: 2000)) {
                progress in
                try await SetsJudge(sets: sets) { try await context.open(location) }
                    .judge(progress)
                try await eraseAgain(context, location)
                let found = try canary.found(below: location).count
                try require(
                    found == 0, "after the next erasure \(found) files hold removed content")
            }
            try lab.conclude()
        }
    }

    private static func eraseAgain(_ context: CaseContext, _ location: String) async throws {
        let store = try await context.open(location)
        do {
            try await store.erase(.removedData)
            try await store.close()
        } catch {
            try? await store.close()
            throw Violation("the next erasure threw: \(error)")
        }
    }
}

extension Worker {
    static let erase: [Worker] = [eraseFiller, eraser]

    /// Saves sets, and a session that it removes again.
    static let eraseFiller = Worker(name: "erase.filler") { order, harness in
        try RecordedProcess.begin(order)
        let canary = try ContentCanary(seed: order.seed, isIncognito: false)
        let store = try await harness.open(StorageConfiguration(location: order.location))
        var changes = canary.changes(revision: 1)
        changes.commitID = nil
        _ = try await store.save(changes, durability: .powerLoss)
        for number in 1...ErasureCuts.filled {
            SaveNote.begun(number).tell()
            if number == ErasureCuts.filled {
                var removal = SessionChanges()
                removal.remove(canary.session)
                _ = try await store.save(removal, durability: .powerLoss)
            }
            _ = try await store.save(ErasureCuts.sets.changes(number), durability: .powerLoss)
            SaveNote.acknowledged(number, isDurable: true).tell()
        }
        try await store.close()
        ConformanceChild.report("done")
    }

    static let eraser = Worker(name: "erase.eraser") { order, harness in
        try RecordedProcess.begin(order)
        let store = try await harness.open(StorageConfiguration(location: order.location))
        let number = try await ErasureCuts.sets.lastApplied(in: store)
        SaveNote.opened(found: number).tell()
        try await store.erase(.removedData)
        SaveNote.begun(number + 1).tell()
        _ = try await store.save(ErasureCuts.sets.changes(number + 1), durability: .powerLoss)
        SaveNote.acknowledged(number + 1, isDurable: true).tell()
        try await store.close()
        ConformanceChild.report("done")
    }
}
