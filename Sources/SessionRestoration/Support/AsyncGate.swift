/// Lets one piece of work through at a time, in the order in which they came.
///
/// Not `Sendable`: it serializes work of one isolation over its suspensions.
final class AsyncGate {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether somebody is inside.
    var isOccupied: Bool { isTaken }

    func pass<Answer>(_ work: () async throws -> Answer) async rethrows -> Answer {
        await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
