import Foundation
import Histogram

/// How the times of an operation are distributed: three digits of each are kept.
struct Distribution {
    private var histogram = Histogram<UInt32>(numberOfSignificantValueDigits: .three)

    init(nanoseconds: some Sequence<Int>) {
        for time in nanoseconds { histogram.record(UInt64(max(time, 1))) }
    }

    /// In microseconds; all 0 if there are no times.
    var percentiles: BenchResult.Percentiles {
        BenchResult.Percentiles(p50: at(50), p90: at(90), p99: at(99), max: at(100))
    }

    private func at(_ percentile: Double) -> Double {
        guard histogram.totalCount > 0 else { return 0 }
        return Double(histogram.valueAtPercentile(percentile)) / 1000
    }

    /// Four buckets for each doubling, without those that are empty.
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
    /// The middle value, or the mean of the two in the middle; 0 if there is none.
    static func of(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
