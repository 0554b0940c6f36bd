import BrowserSessions

/// What shall go wrong, and what was asked for so far.
struct FaultPlan: Sendable {
    enum Fault: Sendable {
        case hangs
        case fails(StorageError)
        case failsAfterwards(StorageError)
    }

    /// What happens to one call: first it hangs, then it fails.
    struct Fate: Sendable {
        /// Tells the call from others.
        var number: UInt64
        var hangs = false
        var errorBefore: StorageError?
        var errorAfter: StorageError?
    }

    private struct Rule: Sendable {
        var operation: StorageCall.Operation
        /// `nil` for calls of any session, or of none.
        var session: SessionID?
        var fault: Fault
        /// The calls that it is for, counted since it was made, from 1.
        var calls: ClosedRange<Int>
        var seen = 0
    }

    private(set) var calls: [StorageCall] = []
    private(set) var begun: [StorageCall.Operation: Int] = [:]
    private(set) var answered: [StorageCall.Operation: Int] = [:]
    /// In the order in which they came.
    private(set) var hanging: [(number: UInt64, call: StorageCall)] = []
    var statesRead = 0
    var stateBytesSaved = 0
    var homes = TabHomes()
    private var rules: [Rule] = []
    private var lastNumber: UInt64 = 0

    mutating func add(
        _ fault: Fault, to operation: StorageCall.Operation, _ session: SessionID?,
        _ calls: ClosedRange<Int>
    ) {
        rules.append(Rule(operation: operation, session: session, fault: fault, calls: calls))
    }

    mutating func forgetFaults() { rules = [] }

    mutating func forgetCalls() {
        calls = []
        begun = [:]
        answered = [:]
        statesRead = 0
        stateBytesSaved = 0
    }

    /// Writes the call down and says what happens to it. Of several errors the first counts.
    mutating func begin(_ call: StorageCall) -> Fate {
        lastNumber += 1
        calls.append(call)
        begun[call.operation, default: 0] += 1
        var fate = Fate(number: lastNumber)
        for index in rules.indices where isFor(rules[index], call) {
            rules[index].seen += 1
            guard rules[index].calls.contains(rules[index].seen) else { continue }
            switch rules[index].fault {
            case .hangs: fate.hangs = true
            case .fails(let error): fate.errorBefore = fate.errorBefore ?? error
            case .failsAfterwards(let error): fate.errorAfter = fate.errorAfter ?? error
            }
        }
        rules.removeAll { $0.seen >= $0.calls.upperBound }
        if fate.hangs { hanging.append((lastNumber, call)) }
        return fate
    }

    private func isFor(_ rule: Rule, _ call: StorageCall) -> Bool {
        rule.operation == call.operation
            && rule.session.map { homes.concerns(call, $0) } ?? true
    }

    func isHanging(_ number: UInt64) -> Bool { hanging.contains { $0.number == number } }

    mutating func release() { hanging = [] }

    mutating func end(_ call: StorageCall) { answered[call.operation, default: 0] += 1 }
}
