import SessionSamples

/// A bootstrap of the 95 % confidence interval of the median of samples.
///
/// Samples of one round come from one process and resemble each other more than samples of two
/// rounds. The bootstrap therefore resamples first the rounds, and then the samples in each. As a
/// result, differences between processes widen the interval instead of being overlooked.
struct Bootstrap {
    /// The number of resamples.
    var resamples = 500
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Returns the lower and the upper end; `[]` if there are no samples.
    mutating func interval95(_ rounds: [[Double]]) -> [Double] {
        let rounds = rounds.filter { !$0.isEmpty }
        guard !rounds.isEmpty else { return [] }
        let values = rounds.flatMap { $0 }
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Int](repeating: 0, count: values.count)
        for (rank, index) in order.enumerated() { ranks[index] = rank }
        var ranksOfRounds: [ArraySlice<Int>] = []
        var start = 0
        for round in rounds {
            ranksOfRounds.append(ranks[start..<start + round.count])
            start += round.count
        }
        let medians = (0..<resamples).map { _ in medianRank(ranksOfRounds, values.count) }.sorted()
        let cut = resamples / 40
        return [medians[cut], medians[resamples - 1 - cut]].map { values[order[$0]] }
    }

    /// Returns the rank of the median of one resample.
    private mutating func medianRank(_ rounds: [ArraySlice<Int>], _ count: Int) -> Int {
        var drawn = [Int](repeating: 0, count: count)
        var total = 0
        for _ in rounds {
            let round = rounds[generator.integer(in: 0...rounds.count - 1)]
            for _ in 0..<round.count {
                let place = generator.integer(in: 0...round.count - 1)
                drawn[round[round.startIndex + place]] += 1
            }
            total += round.count
        }
        var seen = 0
        for (rank, times) in drawn.enumerated() {
            seen += times
            if seen * 2 >= total { return rank }
        }
        return count - 1
    }
}

enum Median {
    /// Returns the middle value, or the mean of the two middle values; 0 if there is none.
    static func of(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

extension Duration {
    var nanoseconds: Int {
        Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
}
