import BrowserSessions
import SessionSamples
import Synchronization

/// An owner that saves numbered sets while another one takes the store.
final class TakeoverRace: Sendable {
    private let context: CaseContext
    private let location: String
    private let sets = NumberedSets()
    /// The last set that was acknowledged.
    private let acknowledged = Mutex(0)

    init(_ context: CaseContext, at location: String) {
        (self.context, self.location) = (context, location)
    }

    @Sendable static func rounds(_ context: CaseContext) async throws {
        var generator = context.generator
        for round in 1...context.amount(10, full: 40) {
            let location = try await context.makeLocation("round \(round)")
            // The first round ensures that some saves happen while the store has no owner.
            let late = round == 1 ? 1 : generator.integer(in: 0...2)
            try await TakeoverRace(context, at: location)
                .run(after: generator.integer(in: 1...8), late: late)
            try await context.remove(location)
        }
    }

    /// - Parameters:
    ///   - saves: how many sets are acknowledged before the takeover.
    ///   - late: for how many more the new owner waits, unless the old one is refused before.
    private func run(after saves: Int, late: Int) async throws {
        let old = try await context.open(location)
        let (stream, report) = AsyncStream<Int>.makeStream()
        async let refusal = saveUntilRefused(old, report)
        for await number in stream where number >= saves { break }
        try await context.takeOver(location)
        if late > 0 {
            // One may have been in transit at the takeover.
            let wanted = acknowledged.withLock(\.self) + 1 + late
            for await number in stream where number >= wanted { break }
        }
        let new = try await context.openFreed(location)
        let found = try await sets.lastApplied(in: new)
        try judge(found, try await refusal)
        try requireEqual(
            try await sets.lastApplied(in: new), found,
            "the last set when the replaced owner has ended")
        try? await old.close()
        let again = try await context.reopen(new, at: location)
        try requireEqual(
            try await sets.lastApplied(in: again), found, "the last set at the next opening")
        try await again.close()
    }

    private func saveUntilRefused(
        _ store: any SessionStorage, _ report: AsyncStream<Int>.Continuation
    ) async throws -> StorageError {
        defer { report.finish() }
        for number in 1...20_000 {
            do {
                try await context.saveLastingly(sets.changes(number), in: store)
            } catch {
                return error
            }
            acknowledged.withLock { $0 = number }
            report.yield(number)
        }
        throw Violation("20,000 saves went on while the store was taken from their owner")
    }

    /// - Parameter found: the last set that the new owner found at once.
    private func judge(_ found: Int, _ refusal: StorageError) throws {
        let last = acknowledged.withLock(\.self)
        let isKnown = refusal.effect != .indeterminate
        try require(
            refusal.code == .fenced || (!isKnown && refusal.code == .unavailable),
            "a save during a takeover: expected .fenced, was \(refusal.full)")
        try require(
            found >= last, "set \(last) was acknowledged during a takeover, and \(found) is there")
        let expected = isKnown && refusal.effect == .notApplied ? last : last + 1
        try require(
            found <= expected, "set \(found) was refused during a takeover, and is there")
        try require(
            found == expected || !isKnown, "set \(expected) was applied, and is not there")
    }
}
