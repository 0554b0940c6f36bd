import BrowserSessions
import Synchronization

/// The only way to the storage: nobody else of the package's host layer holds it.
///
/// Each call is watched: one that takes long is told, and one that takes longer than the deadline is
/// given up by whoever waits for it. A call that was given up may still be under way, so what changes
/// the store waits behind it until it ends, or until another storage takes the place of the one that
/// does not answer: from then on nobody listens to that any more.
///
/// Calls run in tasks of their own: cancelling the task that asked changes nothing, because what was
/// asked for has begun.
final class StorageDoor {
    private(set) var storage: any SessionStorage
    /// Another number for each storage.
    private(set) var generation = 0
    /// Told when a call takes long, and when the storage answers again.
    var onStall: (_ since: Timestamp) -> Void = { _ in }
    var onAnswer: () -> Void = {}

    private let limits: Limits
    private let work: HostWork
    private let now: @Sendable () -> Timestamp
    private var calls: [Int: Call] = [:]
    private var lastCall = 0
    /// Those that change a side, in the order in which they came; the first is at work.
    private var lines: [StorageSide: [Turn]] = [:]

    struct Limits {
        var stall: Duration
        var deadline: Duration
    }

    /// A call that has not ended, whether or not somebody still waits for it.
    private struct Call {
        var since: Timestamp
        /// The side that it changes; `nil` for one that only reads.
        var changes: StorageSide?
        /// Nobody waits for it any more.
        var isGivenUp = false
        var giveUp: (StorageError) -> Void
    }

    private final class Turn {
        var begin: (() -> Void)?
    }

    init(
        _ storage: any SessionStorage, _ limits: Limits, _ work: HostWork,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.storage = storage
        self.limits = limits
        self.work = work
        self.now = now
    }

    var traits: StorageTraits { storage.traits }

    /// What saves of a side can survive.
    func greatestDurability(of side: StorageSide) -> Durability {
        side == .regular
            ? traits.greatestDurability
            : min(traits.greatestDurability, traits.incognitoDurability)
    }

    /// Since when the storage owes an answer for longer than usual; `nil` if it does not.
    private(set) var stalledSince: Timestamp?

    // MARK: Calls

    /// Asks the storage for something, beside whatever else is asked.
    ///
    /// Throws what the storage throws; `unavailable`, with an unknown effect, if it did not answer in
    /// time or was replaced before it did.
    ///
    /// - Parameter side: the side that the call changes, whose turn it is; `nil` for one that only reads.
    func ask<Answer: Sendable>(
        _ operation: String, changing side: StorageSide? = nil,
        _ call: @escaping @Sendable (any SessionStorage) async throws(StorageError) -> Answer
    ) async throws(StorageError) -> Answer {
        let answer = AwaitedAnswer<Answer>()
        let ending = AwaitedAnswer<Void>()
        lastCall += 1
        let number = lastCall
        calls[number] = Call(since: now(), changes: side) {
            answer.give(.failure($0))
            ending.give(.success(()))
        }
        let storage = storage
        Task.detached {
            let outcome = await outcome { () throws(StorageError) in try await call(storage) }
            ending.give(.success(()))
            answer.give(outcome)
        }
        let timers = watch(number, operation, answer)
        let result = await answer.value()
        for timer in timers { timer.cancel() }
        if ending.isGiven { end(number) } else { giveUp(number, until: ending) }
        return try result.get()
    }

    private func watch<Answer>(
        _ number: Int, _ operation: String, _ answer: AwaitedAnswer<Answer>
    ) -> [HostTimer] {
        weak let door = self
        let stall = work.after(limits.stall) { door?.stalled(number) }
        let late = StorageError(
            .unavailable,
            """
            the storage has not answered for \(limits.deadline); give the restorer another one if it \
            does not come back
            """, operation: operation, effect: .indeterminate)
        let deadline = work.after(limits.deadline) { answer.give(.failure(late)) }
        return [stall, deadline]
    }

    private func stalled(_ number: Int) {
        guard let call = calls[number] else { return }
        stalledSince = stalledSince ?? call.since
        onStall(call.since)
    }

    /// The answer was given before the end, or the time was up.
    private func giveUp(_ number: Int, until ending: AwaitedAnswer<Void>) {
        calls[number]?.isGivenUp = true
        weak let door = self
        work.enqueue {
            _ = await ending.value()
            door?.end(number)
        }
    }

    private func end(_ number: Int) {
        guard let call = calls.removeValue(forKey: number) else { return }
        if let side = call.changes { advance(side) }
        guard stalledSince != nil, calls.isEmpty else { return }
        stalledSince = nil
        onAnswer()
    }

    /// From now on the calls go to another storage. Whoever waits for the old one is told so.
    func replace(with new: any SessionStorage) {
        storage = new
        generation += 1
        let abandoned = calls.values
        calls = [:]
        stalledSince = nil
        let replaced = StorageError(
            .unavailable, "the storage was replaced before it answered", effect: .indeterminate)
        for call in abandoned { call.giveUp(replaced) }
        for side in StorageSide.allCases { advance(side) }
    }

    // MARK: Turns

    /// Does calls that change a side and belong together, when everybody who came before is done.
    func inTurn<Answer, Failure: Error>(
        _ side: StorageSide, _ work: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let turn = Turn()
        lines[side, default: []].append(turn)
        if lines[side]?.first !== turn || hasLateChange(of: side) {
            await withCheckedContinuation { waiting in turn.begin = { waiting.resume() } }
        }
        defer {
            lines[side]?.removeAll { $0 === turn }
            advance(side)
        }
        return try await work()
    }

    /// The same, and in the same turn once more if another storage came meanwhile: it is for that one.
    func inTurnAgainIfReplaced(
        _ side: StorageSide, _ work: () async throws(StorageError) -> Void
    ) async throws(StorageError) {
        try await inTurn(side) { () throws(StorageError) in
            while true {
                let generation = generation
                do throws(StorageError) { return try await work() } catch {
                    guard self.generation != generation else { throw error }
                }
            }
        }
    }

    private func hasLateChange(of side: StorageSide) -> Bool {
        calls.values.contains { $0.changes == side && $0.isGivenUp }
    }

    private func advance(_ side: StorageSide) {
        guard let next = lines[side]?.first, let begin = next.begin, !hasLateChange(of: side) else {
            return
        }
        next.begin = nil
        begin()
    }
}

/// The answer to one call: the first that is given counts.
private final class AwaitedAnswer<Answer: Sendable>: Sendable {
    typealias Outcome = Result<Answer, StorageError>

    private struct State {
        var outcome: Outcome?
        var waiting: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    func give(_ outcome: Outcome) {
        let waiting = state.withLock { state in
            guard state.outcome == nil else { return CheckedContinuation<Outcome, Never>?.none }
            state.outcome = outcome
            return state.waiting.take()
        }
        waiting?.resume(returning: outcome)
    }

    var isGiven: Bool { state.withLock { $0.outcome != nil } }

    func value() async -> Outcome {
        await withCheckedContinuation { waiting in
            let outcome = state.withLock { state in
                state.waiting = state.outcome == nil ? waiting : nil
                return state.outcome
            }
            if let outcome { waiting.resume(returning: outcome) }
        }
    }
}

private func outcome<Answer>(
    _ call: @Sendable () async throws(StorageError) -> Answer
) async -> Result<Answer, StorageError> {
    do throws(StorageError) { return .success(try await call()) } catch { return .failure(error) }
}
