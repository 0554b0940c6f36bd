import BrowserSessions

/// The calls that the store has not ended, and the turns of those that change it.
///
/// A call beyond the stall limit is reported. A call beyond the deadline is given up: its caller
/// gets an error. The call may still be running, so the partition's next turn waits until the store
/// ends it or is replaced.
struct StoreCallQueue {
    enum Turn: Hashable {
        case round(Int)
        case deletion(Int)
        case workflow(Int)
    }

    private struct Call {
        var since: Timestamp
        /// The partition that the call changes; `nil` for a call that only reads.
        var partition: StoragePartition?
        var isGivenUp = false
    }

    private struct Line {
        var turns: [Turn] = []
        var isRunning = false
    }

    private let stall: Duration
    private let deadline: Duration
    private var calls: [Int: Call] = [:]
    private var lines: [StoragePartition: Line] = [:]
    /// Whether a call exceeds the stall limit.
    private var isStalled = false
    /// Whether a stall has ended and was not reported yet.
    private var hasStallEnded = false
    /// The time of the event that is being handled.
    var now = Timestamp.unknown

    init(stall: Duration, deadline: Duration) {
        self.stall = stall
        self.deadline = deadline
    }

    // MARK: Calls

    mutating func begin(
        _ call: Int, _ partition: StoragePartition?,
        _ effects: inout [SaveEffect]
    ) {
        calls[call] = Call(since: now, partition: partition)
        effects.append(.setTimer(.stall(call), stall))
        effects.append(.setTimer(.deadline(call), deadline))
    }

    /// Ends a call.
    ///
    /// - Returns: whether a caller still waits for it.
    mutating func end(_ call: Int, _ effects: inout [SaveEffect]) -> Bool {
        guard let ended = calls.removeValue(forKey: call) else { return false }
        effects.append(.cancelTimer(.stall(call)))
        effects.append(.cancelTimer(.deadline(call)))
        if isStalled, calls.isEmpty {
            isStalled = false
            hasStallEnded = true
        }
        return !ended.isGivenUp
    }

    /// Returns whether the store has not ended the call.
    func isKnown(_ call: Int) -> Bool { calls[call] != nil }

    /// Returns whether a stall has ended since the previous query.
    mutating func takeEndOfStall() -> Bool {
        defer { hasStallEnded = false }
        return hasStallEnded
    }

    /// Notes that a call exceeds the stall limit. Returns its start; `nil` if the store has ended it.
    mutating func stalled(_ call: Int) -> Timestamp? {
        guard let since = calls[call]?.since else { return nil }
        isStalled = true
        return since
    }

    /// Gives up a call after its deadline, and returns its error; `nil` if the store has ended it.
    mutating func giveUp(_ call: Int) -> StorageError? {
        guard calls[call]?.isGivenUp == false else { return nil }
        calls[call]?.isGivenUp = true
        return StorageError(
            .unavailable,
            """
            the storage has not answered for \(deadline); give the restorer another one if it does not \
            come back
            """, effect: .indeterminate)
    }

    /// Forgets all calls, because another storage replaces the one that has not ended them.
    ///
    /// - Returns: the calls, in the order in which they began.
    mutating func abandonAll(_ effects: inout [SaveEffect]) -> [Int] {
        let abandoned = calls.keys.sorted()
        for call in abandoned {
            effects.append(.cancelTimer(.stall(call)))
            effects.append(.cancelTimer(.deadline(call)))
        }
        calls = [:]
        isStalled = false
        return abandoned
    }

    // MARK: Turns

    mutating func append(_ turn: Turn, _ partition: StoragePartition) {
        lines[partition, default: Line()].turns.append(turn)
    }

    /// Begins and returns the next turn; `nil` if a turn is running, no turn waits, or a call that
    /// was given up may still change the partition.
    mutating func nextTurn(of partition: StoragePartition) -> Turn? {
        guard let line = lines[partition], !line.isRunning, let turn = line.turns.first,
            !calls.values.contains(where: { $0.isGivenUp && $0.partition == partition })
        else { return nil }
        lines[partition]?.isRunning = true
        return turn
    }

    /// Lets the running turn begin once more, unless a workflow has it.
    mutating func restartTurn(of partition: StoragePartition) {
        if case .workflow? = lines[partition]?.turns.first { return }
        lines[partition]?.isRunning = false
    }

    /// Ends the running turn.
    mutating func endTurn(of partition: StoragePartition) {
        lines[partition]?.turns.removeFirst()
        lines[partition]?.isRunning = false
    }

    /// Returns the running turn; `nil` if there is none.
    func runningTurn(of partition: StoragePartition) -> Turn? {
        guard let line = lines[partition], line.isRunning else { return nil }
        return line.turns.first
    }

    /// Removes a workflow that has had its turn, or no longer needs it.
    mutating func remove(workflow: Int) {
        for partition in StoragePartition.allCases {
            let index = lines[partition]?.turns.firstIndex(of: .workflow(workflow))
            guard let index else { continue }
            lines[partition]?.turns.remove(at: index)
            if index == 0 { lines[partition]?.isRunning = false }
        }
    }
}
