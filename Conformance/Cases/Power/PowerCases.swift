import BrowserSessions
import Foundation

/// The cases of POWER: processes save, and the power is cut.
extension ConformanceSuite {
    /// Cuts at every moment of a life that begins with nothing and closes its store.
    static func cuts(_ model: DiskModel, _ levels: [Durability])
        -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            let levels = try known(levels, in: context)
            var lab = try await PowerLab(context, model)
            for round in 1...context.amount(2, full: 2, long: 20) {
                let bytes = [5000, 2000, 20_000, 300, 100_000, 100][round % 6]
                lab.begin(round, stateBytes: bytes)
                let life = RecordedLife(
                    sets: context.amount(10, full: 20, long: 40), levels: levels)
                if let recording = try await lab.record(life) {
                    try await lab.cut(recording, most: context.amount(30, full: 600, long: 2000))
                }
            }
            try lab.conclude()
        }
    }

    /// Kills a process; the next one opens the store and saves, and the power is cut.
    static func cutsAfterKills(_ model: DiskModel)
        -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            let levels = try known([.processCrash, .powerLoss], in: context)
            try await PowerLab.play(context, model, rounds: 4, full: 20, long: 130) { lab, round in
                var life = RecordedLife(sets: 9, levels: [levels[0]], closes: false)
                life.fault = InjectedFault(
                    calls: .changes, at: lab.anyNumber(upTo: 80),
                    effect: round.isMultiple(of: 2) ? .killBefore : .killWithin)
                guard var killed = try await lab.record(life) else { return }
                // Often the next one is also killed before it has done anything.
                if round > 2 {
                    let short = RecordedLife(sets: 0, levels: levels, closes: false)
                    guard let second = try await lab.record(short, after: .recording(killed)) else {
                        return
                    }
                    killed = second
                }
                let next = RecordedLife(
                    sets: 3, levels: levels,
                    firstSave: round.isMultiple(of: 2) ? .empty : .repeated)
                guard let recording = try await lab.record(next, after: .recording(killed)) else {
                    return
                }
                try await lab.cut(recording, most: context.amount(10, full: 100, long: 300))
            }
        }
    }

    /// Cuts the power, and cuts it again while the store is opened and used.
    @Sendable static func cutsAfterCuts(_ context: CaseContext) async throws {
        let levels = try known([.powerLoss, .processCrash], in: context)
        var lab = try await PowerLab(context, .ordered)
        let life = RecordedLife(sets: context.amount(10, full: 30), levels: levels)
        guard let first = try await lab.record(life) else { return try lab.conclude() }
        for round in 1...context.amount(4, full: 20, long: 130) {
            lab.begin(round)
            let next = RecordedLife(sets: 3, levels: levels, firstSave: .empty, closes: false)
            let beginning = lab.anyCut(of: first)
            guard let recording = try await lab.record(next, after: beginning) else { continue }
            try await lab.cut(recording, most: context.amount(10, full: 100, long: 300))
        }
        try lab.conclude()
    }

    /// Makes a sync fail once; the same process or the next one opens the store again, and the
    /// power is cut later.
    @Sendable static func cutsAfterFailedSyncs(_ context: CaseContext) async throws {
        let levels = try known([.processCrash, .powerLoss], in: context)
        try await PowerLab.play(context, .ordered, rounds: 4, full: 24, long: 130) { lab, round in
            var life = RecordedLife(sets: 8, levels: levels, closes: round.isMultiple(of: 3))
            life.fault = InjectedFault(calls: .syncs, at: (round + 1) / 2, effect: .fail(EIO))
            life.reopenings = round.isMultiple(of: 2) ? 3 : 0
            guard var recording = try await lab.record(life) else { return }
            if life.reopenings == 0 {
                let next = RecordedLife(sets: 3, levels: levels, firstSave: .empty, closes: false)
                guard let later = try await lab.record(next, after: .recording(recording)) else {
                    return
                }
                recording = later
            }
            try await lab.cut(recording, most: context.amount(10, full: 100, long: 300))
        }
    }

    /// Cuts at every moment of a life that takes and releases restore points, and of a second one that
    /// continues after a kill among them.
    static func cutsAmongPoints(_ model: DiskModel)
        -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            let levels = try known([.processCrash, .powerLoss], in: context)
            var lab = try await PowerLab(context, model, pointsEach: 2)
            for round in 1...context.amount(2, full: 6, long: 40) {
                lab.begin(round, stateBytes: [2000, 100, 20_000][round % 3])
                var life = RecordedLife(sets: 10, levels: levels)
                life.closes = round.isMultiple(of: 2)
                guard var recording = try await lab.record(life) else { continue }
                if round > 1 {
                    let next = RecordedLife(sets: 4, levels: levels)
                    guard let later = try await lab.record(next, after: .recording(recording))
                    else { continue }
                    recording = later
                }
                try await lab.cut(recording, most: context.amount(30, full: 300, long: 1000))
            }
            try lab.conclude()
        }
    }

    /// Returns the levels that the store supports.
    private static func known(_ levels: [Durability], in context: CaseContext) throws
        -> [Durability]
    {
        for level in levels where !context.traits.durability.contains(level) {
            throw NotTried("the store does not know the durability \(level.rawValue)")
        }
        return levels
    }
}
