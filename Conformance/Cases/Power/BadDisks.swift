import BrowserSessions
import Foundation
import StorageEngines

/// Power cuts after unsynced folders, after syncs that lie or fail while a store is made, and with
/// sectors that a cut destroys.
enum BadDisks {
    static func foldersThatWereThere(_ model: DiskModel)
        -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            try await PowerLab.play(context, model, rounds: 3, full: 12, long: 60) { lab, round in
                var life = RecordedLife(sets: 3, levels: [.powerLoss], closes: false)
                life.hasFolder = true
                var beginning = PowerLab.Beginning.nothing
                if round > 1 {
                    // The first opening is killed while it makes the store.
                    life.earlyFault = InjectedFault(
                        calls: .changes, at: lab.anyNumber(upTo: 25), effect: .killWithin)
                    guard let killed = try await lab.record(life) else { return }
                    beginning = .recording(killed)
                    life.hasFolder = false
                    life.earlyFault = nil
                }
                guard let recording = try await lab.record(life, after: beginning) else { return }
                try await lab.cut(recording, most: context.amount(20, full: 200, long: 600))
            }
        }
    }

    /// Saves to a closed store that was copied to its place a moment before.
    static func backups(_ model: DiskModel, syncingFiles: Bool = true)
        -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            try await PowerLab.play(context, model, rounds: 2, full: 8, long: 30) { lab, round in
                let first = RecordedLife(sets: round, levels: [.powerLoss])
                guard try await lab.record(first) != nil else { return }
                let backup = try await context.makeLocation("backup")
                try FileSystem.move(lab.location, to: backup)
                var life = RecordedLife(sets: 3, levels: [.powerLoss], closes: false)
                life.backup = backup
                life.syncsBackup = syncingFiles
                guard let recording = try await lab.record(life),
                    let saved = recording.firstDurableSet
                else { return }
                try await lab.cut(
                    recording, most: context.amount(20, full: 200, long: 600), from: saved)
            }
        }
    }

    /// Makes each of the first syncs fail; the same process or the next one opens the store again.
    static func failedMakings(_ model: DiskModel)
        -> @Sendable (CaseContext) async throws -> Void
    {
        { context in
            try await PowerLab.play(context, model, rounds: 6, full: 24, long: 40) { lab, round in
                var life = RecordedLife(sets: 3, levels: [.powerLoss], closes: false)
                life.hasFolder = round.isMultiple(of: 3)
                let at = context.amount(2 * round, full: (round + 1) / 2, long: (round + 1) / 2)
                life.earlyFault = InjectedFault(calls: .syncs, at: at, effect: .fail(EIO))
                life.reopenings = round.isMultiple(of: 2) ? 2 : 0
                guard var recording = try await lab.record(life) else { return }
                if life.reopenings == 0 {
                    let next = RecordedLife(sets: 3, levels: [.powerLoss], closes: false)
                    guard let later = try await lab.record(next, after: .recording(recording))
                    else { return }
                    recording = later
                }
                try await lab.cut(recording, most: context.amount(20, full: 200, long: 600))
            }
        }
    }

    /// Makes one sync lie, but no later ones. Only a cut shows what it lost. If a cut comes before
    /// more is durable, the last set seems never to have been saved, and no store can detect that.
    @Sendable static func lies(_ context: CaseContext) async throws {
        try await PowerLab.play(context, .ordered, rounds: 4, full: 24, long: 130) { lab, round in
            var life = RecordedLife(
                sets: 8, levels: [.powerLoss], closes: round.isMultiple(of: 2))
            life.fault = InjectedFault(calls: .syncs, at: (round + 1) / 2, effect: .lie)
            guard let recording = try await lab.record(life),
                let first = recording.confirmationAfterLie
            else { return }
            let judge = TellingJudge(lab)
            try await lab.cut(
                recording, most: context.amount(20, full: 200, long: 600), from: first
            ) { try await judge.judge($0) }
        }
    }

    @Sendable static func destroyedNeighbors(_ context: CaseContext) async throws {
        var lab = try await PowerLab(context, .ordered)
        for round in 1...context.amount(2, full: 8, long: 40) {
            lab.begin(round, stateBytes: [300, 2000, 20_000][round % 3])
            let life = RecordedLife(sets: 10, levels: [.powerLoss])
            guard let recording = try await lab.record(life) else { continue }
            try await lab.destroyNeighbors(
                in: recording, most: context.amount(30, full: 200, long: 600),
                judging: TellingJudge(lab))
        }
        try lab.conclude()
    }
}

extension PowerLab.Recording {
    /// The first action after which a set later than that of a lying sync is acknowledged as
    /// durable; `nil` if there is none.
    fileprivate var confirmationAfterLie: Int? {
        let lie = actions.firstIndex { action in
            switch action {
            case .sync(_, _, isDone: false), .syncDirectory(_, isDone: false): true
            default: false
            }
        }
        guard let lie else { return nil }
        return durableSets.filter { $0 >= lie }.dropFirst().first
    }

    /// The action after which a set is acknowledged as durable for the first time.
    fileprivate var firstDurableSet: Int? { durableSets.first }

    private var durableSets: [Int] {
        actions.indices.filter { index in
            if case .note(.acknowledged(_, isDurable: true)) = actions[index] {
                true
            } else {
                false
            }
        }
    }
}

/// Judges a store of numbered sets on a disk that lost confirmed content: what reads as sound must
/// be everything that was acknowledged.
struct TellingJudge {
    let sets: NumberedSets
    private let context: CaseContext
    private let location: String

    init(_ lab: PowerLab) {
        sets = lab.sets
        context = lab.context
        location = lab.location
    }

    func judge(_ progress: SaveProgress) async throws {
        guard let store = try await opened() else { return }
        do {
            if try await store.check().isHealthy {
                let found = try await sets.lastApplied(in: store)
                try require(
                    found >= progress.certain,
                    """
                    set \(progress.certain) was acknowledged at powerLoss, \(found) is there, and nothing \
                    reports it
                    """)
            }
            try await store.close()
        } catch {
            try? await store.close()
            throw error as? Violation ?? Violation("\(error)")
        }
    }

    /// Opens the store; returns `nil` if it reports that it is damaged.
    private func opened() async throws -> (any SessionStorage)? {
        do {
            return try await context.open(location)
        } catch let error as StorageError where error.code == .corrupted {
            return nil
        } catch {
            throw Violation("the store cannot be opened: \(error)")
        }
    }
}
