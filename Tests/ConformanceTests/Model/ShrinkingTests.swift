import BrowserSessions
import Expectations

@testable import StorageConformance

@Suite("Shortening a failing sequence")
struct ShrinkingTests {
    private let operations = ModelSequence(seed: 4).operations

    /// Fails at the last of the steps with these numbers, if all are there.
    private func failing(at numbers: Set<Int>, _ runs: FaultMemory<Int>)
        -> ModelShrinking.Attempt
    {
        { operations in
            runs.use { $0 += 1 }
            guard numbers.isSubset(of: Set(operations.map(\.number))) else { return nil }
            return ModelTrial.Failure(label: "", step: numbers.max() ?? 0, message: "")
        }
    }

    private func shortest(_ numbers: Set<Int>, budget: Int = 1000) async throws -> (
        steps: [ModelOperation], runs: Int
    ) {
        let runs = FaultMemory(0)
        let attempt = failing(at: numbers, runs)
        let failure = try require(try await attempt(operations))
        let found = try await ModelShrinking(budget: budget).shortest(
            operations, failure, attempt)
        return (found.operations, runs.use { $0 } - 1)
    }

    @Test("nothing but what fails is left", arguments: [[0], [3, 40], [1, 50, 99], [108, 109]])
    func minimal(numbers: [Int]) async throws {
        let found = try await shortest(Set(numbers))
        expect(found.steps.map(\.number), is: numbers)
        for case .save(let changes, _, _) in found.steps.map(\.kind) {
            expect(changes.changes.count, is: 1)
        }
    }

    @Test("it stops when its runs are used up, with what it has")
    func budget() async throws {
        let found = try await shortest([5, 50, 90], budget: 10)
        expect(found.runs, is: 10)
        expect(found.steps.count < 91 && found.steps.map(\.number).contains(50))
    }

    @Test("a seed gives the same sequence, and another seed another one")
    func seeds() {
        let again = ModelSequence(seed: 4).operations
        expect(again.map(\.description), is: operations.map(\.description))
        let other = ModelSequence(seed: 8).operations
        expect(other.map(\.description) != operations.map(\.description))
    }
}
