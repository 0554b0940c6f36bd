import BrowserSessions

/// A store with its model. Performs each step on both, and compares.
struct ModelSubject: Sendable {
    static let options: [String: OptionValue] = [
        "maximumStateBytes": .integer(ModelNames.maximumStateBytes)
    ]

    let context: CaseContext
    let location: String
    private(set) var store: any SessionStorage
    private(set) var model: StoreModel

    init(_ context: CaseContext) async throws {
        self.context = context
        location = try await context.makeLocation()
        store = try await context.open(location, options: Self.options)
        model = StoreModel(keepsRestorePoints: store.traits.keepsRestorePoints)
    }

    /// Closes the store and removes it.
    func finish() async throws {
        try? await store.close()
        do {
            try await context.remove(location)
        } catch {
            throw HarnessFault("the harness cannot remove a location: \(error)")
        }
    }

    /// Performs the step, and throws a ``Violation`` if the answer differs from the model's.
    /// Returns the part of the answer that every store must give.
    mutating func perform(_ operation: ModelOperation, of seed: UInt64) async throws -> String {
        switch operation.kind {
        case .save(let changes, let durability, let expecting):
            return try await save(changes, durability, expecting)
        case .deleteIncognito:
            try await store.deleteIncognito()
            model.deleteIncognito()
        case .check: try Self.requireHealthy(await store.check())
        case .repair:
            try Self.requireHealthy(await store.repair())
            try await model.adoptRepairs(of: store)
        case .openAgain: try await openAgain()
        case .reopen(let late): try await reopen(late)
        case .kill(let run): try await kill(run, number: operation.number, of: seed)
        }
        return "done"
    }

    private static func requireHealthy(_ report: RecoveryReport) throws {
        try requireEqual(report.losses.count, 0, "the losses of an undamaged store")
        try requireEqual(report.quarantined.count, 0, "the copies of damaged bytes")
    }

    mutating func compare() async throws -> ModelView { try await model.compare(with: store) }

    // MARK: - Saving

    private mutating func save(
        _ changes: SessionChanges, _ durability: Durability,
        _ expecting: ModelOperation.Expectation
    ) async throws -> String {
        var changes = changes
        if expecting != .nothing, let sequence = model.sequences[changes.partition] {
            changes.expectedSequence = expecting == .right ? sequence : sequence + 1
        }
        let codes = model.refusals(of: changes)
        let level = store.traits.level(durability)
        let receipt: SaveReceipt
        do throws(StorageError) {
            receipt = try await store.save(changes, durability: level)
        } catch {
            try require(
                codes.contains(error.code),
                """
                a save was refused with \(error.code.rawValue), \(Self.wanted(codes)): \(error.message)
                """)
            try requireEqual(error.effect, .notApplied, "the effect of a refused save")
            return codes.count == 1 ? "refused: \(error.code.rawValue)" : "refused"
        }
        let expected = model.receipt(for: changes)
        try require(
            codes.isEmpty || expected.isRepeated == nil,
            "a save was accepted, \(Self.wanted(codes))")
        try model.check(receipt, expected, of: changes)
        let least =
            changes.partition == .regular ? level : min(level, store.traits.incognitoDurability)
        try require(
            receipt.durability >= least,
            "a save reached \(receipt.durability.rawValue), not \(least.rawValue)")
        model.apply(changes, receipt)
        guard let sequence = expected.sequence else { return "saved" }
        return "set \(sequence)" + (expected.isRepeated == true ? ", known" : "")
    }

    private static func wanted(_ codes: Set<StorageError.Code>) -> String {
        codes.isEmpty
            ? "and breaks no rule"
            : "and must be refused with \(codes.map(\.rawValue).sorted().joined(separator: " or "))"
    }

    // MARK: - Opening

    private func openAgain() async throws {
        guard context.harness.persistence >= .process else { return }
        try await requireError(.locked, from: "a second opening") {
            let other = try await context.open(location, options: Self.options)
            try await other.close()
        }
    }

    private mutating func reopen(_ late: SessionChanges?) async throws {
        try await store.close()
        if let late {
            try await requireError(.closed, from: "a save after close") { [store] in
                _ = try await store.save(late)
            }
        }
        store = try await context.open(location, options: Self.options)
        model.reopen()
    }

    /// Closes the store, has another process open it and save, kills that, and opens it again. It
    /// must then be as after all acknowledged sets, or one more that was begun.
    private mutating func kill(
        _ run: KilledRun, number: Int, of seed: UInt64
    ) async throws {
        try await store.close()
        model.reopen()
        let saver = KilledSaver(run: run, number: number, seed: seed)
        let counts = try await saver.counts(in: context, at: location)
        store = try await context.open(location, options: Self.options)
        var differences: [String] = []
        for count in counts {
            var candidate = model
            for save in run.saves.prefix(count) { candidate.apply(save.changes, nil) }
            if store.traits.incognitoDurability < .processCrash { candidate.deleteIncognito() }
            candidate.reopen()
            do {
                _ = try await candidate.compare(with: store)
                model = candidate
                return
            } catch let violation as Violation {
                differences.append("not as after \(count) saves (\(violation.message))")
            }
        }
        let begun = counts.count > 1 ? ", and one had begun" : ""
        throw Violation(
            """
            after a kill \(counts.lowerBound) saves were acknowledged\(begun), and the store is \
            \(differences.joined(separator: " and "))
            """)
    }
}

extension StoreModel {
    fileprivate func check(
        _ receipt: SaveReceipt, _ expected: Receipt, of changes: SessionChanges
    ) throws {
        if let isRepeated = expected.isRepeated {
            try requireEqual(
                receipt.wasAlreadyApplied, isRepeated, "whether a set had been applied before")
        }
        if let sequence = expected.sequence {
            try requireEqual(receipt.sequence, sequence, "the number of a set")
        }
    }
}

extension StorageTraits {
    /// Returns the level that a sequence wants, or the default of a store that cannot reach it.
    fileprivate func level(_ wanted: Durability) -> Durability {
        durability.contains(wanted) ? wanted : defaultDurability
    }
}
