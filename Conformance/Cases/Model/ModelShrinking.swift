import BrowserSessions

/// Shortens a failing sequence while it still fails.
struct ModelShrinking: Sendable {
    typealias Attempt = ([ModelOperation]) async throws -> ModelTrial.Failure?

    /// The number of runs allowed for finding a shorter sequence.
    var budget: Int

    /// A failing sequence and its failure.
    struct Finding: Sendable {
        var operations: [ModelOperation]
        var failure: ModelTrial.Failure

        /// Drops the steps after the failure, which do not matter.
        init(_ operations: [ModelOperation], _ failure: ModelTrial.Failure) {
            self.operations = operations.filter { $0.number <= failure.step }
            self.failure = failure
        }
    }

    /// Returns the shortest failing part that was found, always the same. Removes chunks of steps
    /// first, then single steps, then changes of the remaining sets, and sets of killed processes.
    ///
    /// - Parameter attempt: runs a part; returns `nil` if it does not fail.
    func shortest(
        _ operations: [ModelOperation], _ failure: ModelTrial.Failure, _ attempt: Attempt
    ) async throws -> Finding {
        var best = Finding(operations, failure)
        var runs = 0
        var before: Int
        // A step may become unneeded only after another is gone.
        repeat {
            before = best.operations.count
            try await shrink(&best, &runs, attempt, counting: \.count) { $0.removeSubrange($1) }
        } while best.operations.count < before
        for number in best.operations.map(\.number) {
            try await shrink(&best, &runs, attempt) {
                $0.first { $0.number == number }?.partCount ?? 0
            } removing: { operations, range in
                if let place = operations.firstIndex(where: { $0.number == number }) {
                    operations[place].removeParts(in: range)
                }
            }
        }
        return best
    }

    /// Removes chunks of something countable, then smaller ones, down to one.
    private func shrink(
        _ best: inout Finding, _ runs: inout Int, _ attempt: Attempt,
        counting count: ([ModelOperation]) -> Int,
        removing remove: (inout [ModelOperation], Range<Int>) -> Void
    ) async throws {
        var chunk = (count(best.operations) + 1) / 2
        while chunk >= 1 {
            var start = 0
            while start < count(best.operations), count(best.operations) > chunk, runs < budget {
                var part = best.operations
                remove(&part, start..<min(start + chunk, count(part)))
                runs += 1
                if let failure = try await attempt(part) {
                    best = Finding(part, failure)
                } else {
                    start += chunk
                }
            }
            chunk /= 2
        }
    }
}

extension ModelOperation {
    /// The number of changes, or sets of a killed process, that can be removed.
    fileprivate var partCount: Int {
        switch kind {
        case .save(let changes, _, _): changes.changes.count
        case .kill(let run): run.saves.count
        default: 0
        }
    }

    fileprivate mutating func removeParts(in range: Range<Int>) {
        switch kind {
        case .save(let changes, let durability, let expecting):
            var all = changes.changes
            all.removeSubrange(range)
            kind = .save(changes.replacing(all), durability, expecting: expecting)
        case .kill(var run):
            run.remove(range)
            kind = .kill(run)
        default: break
        }
    }
}
