import SessionSamples

/// The moments of a recording at which the power is cut, and what is left then.
struct CutPlan {
    /// The cuts after each action, by its index.
    private(set) var cuts: [Int: [PowerCut]] = [:]

    /// - Parameters:
    ///   - start: the disk before the recording.
    ///   - most: the number of cuts to choose. Those right after each durable acknowledgment and
    ///     the subsets of few pieces are additional.
    ///   - pieces: the largest number of pieces pending before a sync with every subset tried. With
    ///     one more in the file that it syncs, every part of that file is tried; of a larger file,
    ///     three parts that lack one piece.
    init(
        _ actions: [DiskTrace.Action], from start: SimulatedDisk, most: Int, pieces: Int,
        _ generator: inout SeededGenerator
    ) {
        var others: [(Int, PowerCut)] = []
        let samples = max(1, most / max(actions.count, 1))
        var disk = start
        for (index, action) in actions.enumerated() {
            disk.apply(action)
            if case .note(.acknowledged(_, isDurable: true)) = action {
                cuts[index, default: []].append(.nothing)
            }
            // Uncertainty is greatest just before a sync.
            let isBeforeSync = index + 1 < actions.count && actions[index + 1].isSync
            others += (isBeforeSync ? PowerCut.plain : [.kill]).map { (index, $0) }
            let count = isBeforeSync ? 3 * samples : samples
            others += (0..<count).map { _ in (index, .sample(generator.next())) }
            if isBeforeSync, let few = disk.pieces, few <= pieces {
                cuts[index, default: []] += (0..<1 << UInt64(few)).map { .subset($0) }
            }
            if isBeforeSync, case .sync(let number, _, _) = actions[index + 1],
                let count = disk.pieces(of: number), count > 0
            {
                // All parts of the file, or some that lack one piece.
                let parts: [UInt64] =
                    if count <= pieces + 1 {
                        Array(0..<1 << UInt64(count))
                    } else {
                        (0..<3).map { _ in
                            ~(1 << UInt64(generator.integer(in: 0...count - 1)))
                        }
                    }
                cuts[index, default: []] += parts.map { .part(of: number, $0) }
            }
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
