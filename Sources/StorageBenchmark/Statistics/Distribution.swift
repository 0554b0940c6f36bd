import Foundation
import Histogram

/// The distribution of an operation's times, with three digits of each time.
struct Distribution {
    private var histogram = Histogram<UInt32>(numberOfSignificantValueDigits: .three)

    init(nanoseconds: some Sequence<Int>) {
        for time in nanoseconds { histogram.record(UInt64(max(time, 1))) }
    }

    /// The percentiles in microseconds; all 0 if there are no times.
    var percentiles: BenchResult.Percentiles {
        BenchResult.Percentiles(p50: at(50), p90: at(90), p99: at(99), max: at(100))
    }

    private func at(_ percentile: Double) -> Double {
        guard histogram.totalCount > 0 else { return 0 }
        return Double(histogram.valueAtPercentile(percentile)) / 1000
    }

    /// The buckets, four for each doubling, without empty ones.
    var buckets: [BenchResult.Bucket] {
        var counts: [Int: Int] = [:]
        for step in histogram.recordedValues() {
            let bucket = Int((log2(Double(max(step.value, 1))) * 4).rounded(.up))
            counts[bucket, default: 0] += Int(step.count)
        }
        return counts.sorted { $0.key < $1.key }.map { bucket, count in
            BenchResult.Bucket(upTo: exp2(Double(bucket) / 4) / 1000, count: count)
        }
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
