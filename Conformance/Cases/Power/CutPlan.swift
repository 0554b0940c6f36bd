import SessionSamples

/// At which moments of a recording the power is cut, and what is left then.
struct CutPlan {
    /// The cuts after each action, by its index.
    private(set) var cuts: [Int: [PowerCut]] = [:]

    /// - Parameter most: how many cuts there are, beside those right after each durable
    ///   acknowledgement, which are always tried.
    init(_ actions: [DiskTrace.Action], most: Int, _ generator: inout SeededGenerator) {
        var others: [(Int, PowerCut)] = []
        let samples = max(1, most / max(actions.count, 1))
        for (index, action) in actions.enumerated() {
            if case .note(.acknowledged(_, isDurable: true)) = action {
                cuts[index, default: []].append(.nothing)
            }
            // Most is uncertain in front of a sync.
            let isBeforeSync = index + 1 < actions.count && actions[index + 1].isSync
            others += (isBeforeSync ? PowerCut.plain : [.kill]).map { (index, $0) }
            let count = isBeforeSync ? 3 * samples : samples
            others += (0..<count).map { _ in (index, .sample(generator.next())) }
        }
        while others.count > most {
            others.swapAt(generator.integer(in: 0...others.count - 1), others.count - 1)
            others.removeLast()
        }
        for (index, cut) in others { cuts[index, default: []].append(cut) }
    }
}

extension DiskTrace.Action {
    fileprivate var isSync: Bool {
        switch self {
        case .sync, .syncDirectory, .syncAll: true
        default: false
        }
    }
}
