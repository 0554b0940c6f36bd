import BrowserSessions
import SessionSamples

/// The random use of a store that belongs to a seed, always the same.
struct ModelSequence: Sendable {
    /// What a sequence contains besides saves and reads; the seed decides.
    enum Mix: UInt64, CaseIterable, Sendable {
        case calls, reopening, kills, refusals

        var steps: Int { self == .kills ? 42 : 110 }

        /// The abilities that a store needs for such a sequence.
        var needs: [Capability] {
            switch self {
            case .calls, .refusals: []
            case .reopening: [.reopening]
            case .kills: [.reopening, .processes, .processCrash]
            }
        }

        /// Returns the seed of the sequence of that number in a case with a seed.
        ///
        /// - Parameter hasNodes: whether the sequence has groups, splits and the like.
        func seed(_ number: Int, of caseSeed: UInt64, hasNodes: Bool = false) -> UInt64 {
            let count = UInt64(Self.allCases.count)
            let seed = (caseSeed &* 250 &+ UInt64(number)) &* count &+ rawValue
            return hasNodes ? seed | ModelSequence.nodesBit : seed & ~ModelSequence.nodesBit
        }
    }

    /// Whether the sequence of a seed has nodes. Of those with kills none has: which sets are there after a
    /// kill is not known when those after it are drawn, and so not whether they are legal.
    static func hasNodes(_ seed: UInt64) -> Bool {
        seed & nodesBit != 0 && [.reopening, .refusals].contains(mix(of: seed))
    }

    /// The bit of a seed that says that its sequence has nodes.
    static let nodesBit: UInt64 = 1 << 63

    /// Determines everything; ``ConformanceSuite/replay(_:onAny:progress:)`` takes it.
    let seed: UInt64
    let operations: [ModelOperation]

    var mix: Mix { Self.mix(of: seed) }

    private static func mix(of seed: UInt64) -> Mix {
        Mix(rawValue: seed % UInt64(Mix.allCases.count)) ?? .calls
    }

    init(seed: UInt64) {
        self.seed = seed
        var maker = SequenceMaker(mix: Self.mix(of: seed), draws: ModelDraws(seed: seed))
        operations = maker.operations()
    }
}

/// Draws the operations one after the other.
private struct SequenceMaker {
    /// The number of kills in a sequence of kills.
    static let kills = 5

    let mix: ModelSequence.Mix
    var draws: ModelDraws
    /// A set of the last killed run, to be saved again by a caller without an answer.
    var unanswered: SessionChanges?

    mutating func operations() -> [ModelOperation] {
        var kinds = StoragePartition.allCases.map {
            ModelOperation.Kind.save(
                draws.openingSet(in: $0), .processCrash, expecting: .nothing)
        }
        while kinds.count < mix.steps { kinds.append(next(after: kinds.count)) }
        return kinds.enumerated().map { number, kind in
            ModelOperation(
                number: number, kind: kind, isChecked: draws.generator.chance(2, in: 3))
        }
    }

    private mutating func next(after count: Int) -> ModelOperation.Kind {
        if mix == .kills, count.isMultiple(of: mix.steps / (Self.kills + 1)) { return kill() }
        if let set = unanswered {
            unanswered = nil
            return .save(set, draws.durability(), expecting: .nothing)
        }
        switch draws.generator.integer(in: 0...99) {
        case 0...1:
            draws.noteDeletedIncognito()
            return .deleteIncognito
        case 2...4: return draws.generator.pick([.check, .check, .repair])
        case 5...7 where mix == .refusals: return .openAgain
        case 5...7 where mix != .calls: return reopen()
        case 8...14 where mix == .reopening: return reopen()
        case 15...40 where mix == .refusals:
            return .save(draws.wildSet(), draws.durability(), expecting: .nothing)
        case 41...50 where mix == .refusals: return save(.wrong)
        case 51...58: return save(.right)
        case 59...66:
            guard let set = draws.repeatedSet() else { return save(.nothing) }
            return .save(set, draws.durability(), expecting: .nothing)
        default: return save(.nothing)
        }
    }

    private mutating func save(_ expecting: ModelOperation.Expectation) -> ModelOperation.Kind {
        .save(draws.set(in: draws.partition()), draws.durability(), expecting: expecting)
    }

    private mutating func reopen() -> ModelOperation.Kind {
        .reopen(late: draws.generator.chance(1, in: 3) ? draws.set(in: draws.partition()) : nil)
    }

    private mutating func kill() -> ModelOperation.Kind {
        let saves = (0..<draws.generator.integer(in: 5...12)).map {
            KilledRun.Save(
                number: $0, changes: draws.set(in: draws.partition(), isLegal: true),
                durability: draws.durability())
        }
        let count = draws.generator.integer(in: 1...saves.count)
        let isResting = draws.generator.chance(2, in: 3)
        unanswered = saves[..<count].last { $0.changes.commitID != nil }?.changes
        return .kill(
            .init(saves: saves, moment: isResting ? .resting(after: count) : .within(count)))
    }
}
