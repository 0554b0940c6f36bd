import BrowserSessions

/// The planned faults, and the calls made so far.
struct FaultPlan: Sendable {
    enum Fault: Sendable {
        case hangs
        case fails(StorageError)
        case failsAfterwards(StorageError)
    }

    /// The faults of one call: first it hangs, then it fails.
    struct Effect: Sendable {
        /// Distinguishes the call from others.
        var number: UInt64
        var hangs = false
        var errorBefore: StorageError?
        var errorAfter: StorageError?
    }

    private struct Rule: Sendable {
        var operation: StorageCall.Operation
        /// The affected session; `nil` for calls that concern any session or none.
        var session: SessionID?
        var fault: Fault
        /// The affected calls, counted from 1 since the rule was added.
        var calls: ClosedRange<Int>
        var seen = 0
    }

    private(set) var calls: [StorageCall] = []
    private(set) var begun: [StorageCall.Operation: Int] = [:]
    private(set) var answered: [StorageCall.Operation: Int] = [:]
    /// The hanging calls, in order of arrival.
    private(set) var hanging: [(number: UInt64, call: StorageCall)] = []
    var statesRead = 0
    var stateBytesSaved = 0
    var homes = TabSessions()
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

    /// Records a call and returns its faults. If there are several errors, the first one applies.
    mutating func begin(_ call: StorageCall) -> Effect {
        lastNumber += 1
        calls.append(call)
        begun[call.operation, default: 0] += 1
        var effect = Effect(number: lastNumber)
        for index in rules.indices where isFor(rules[index], call) {
            rules[index].seen += 1
            guard rules[index].calls.contains(rules[index].seen) else { continue }
            switch rules[index].fault {
            case .hangs: effect.hangs = true
            case .fails(let error): effect.errorBefore = effect.errorBefore ?? error
            case .failsAfterwards(let error): effect.errorAfter = effect.errorAfter ?? error
            }
        }
        rules.removeAll { $0.seen >= $0.calls.upperBound }
        if effect.hangs { hanging.append((lastNumber, call)) }
        return effect
    }

    private func isFor(_ rule: Rule, _ call: StorageCall) -> Bool {
        rule.operation == call.operation
            && rule.session.map { homes.concerns(call, $0) } ?? true
    }

    func isHanging(_ number: UInt64) -> Bool { hanging.contains { $0.number == number } }

    mutating func release(_ operation: StorageCall.Operation?) {
        hanging.removeAll { operation == nil || $0.call.operation == operation }
    }

    mutating func end(_ call: StorageCall) { answered[call.operation, default: 0] += 1 }
}
