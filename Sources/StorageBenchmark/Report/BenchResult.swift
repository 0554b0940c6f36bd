import BrowserSessions

/// A row: a workload on one contestant at one size and durability.
struct BenchResult: Codable, Equatable {
    /// The name of the backend or other contestant.
    var backend: String
    /// The kind of contestant.
    var role = Role.backend
    /// The name of the workload, such as `save-one-tab`.
    var workload: String
    /// The number of tabs in the window.
    var tabs: Int
    /// The bytes of state that each operation saved or read; 0 for metadata alone.
    var stateBytes: Int
    /// What each save must survive. Rows of different durabilities are never ranked together.
    var durability: Durability
    /// The number of measured operations in all rounds; 0 if none could be measured.
    var samples: Int
    /// The times of one operation.
    var microseconds: Percentiles
    /// The lower and upper end of the median's 95 % confidence interval, in microseconds; both 0 if
    /// there are no samples.
    var interval95: [Double]
    /// The kind of floor; `nil` without one.
    var floor: FloorKind?
    /// The median of the floor, measured in turns with the operation; 0 without a floor.
    var floorMicroseconds = 0.0
    /// The median of the pairs' ratios; 0 without a floor.
    var floorRatio = 0.0
    /// The lower and upper end of the ratio's 95 % confidence interval; `nil` without a floor.
    var ratioInterval95: [Double]?
    /// The median of floor O, for saves that reach the medium. It was measured in turns with the
    /// operation and floor A.
    var overwriteMicroseconds: Double?
    /// The median of the pairs' ratios to floor O.
    var overwriteRatio: Double?
    /// The median of the bytes that one operation passes to the system, counted apart from the times.
    var bytesWritten = 0
    /// The mean number of syncs of one operation, counted apart from the times.
    var syncs = 0.0
    /// Whether the files were in the system's memory, for workloads that depend on it. Rows with
    /// different caches are never ranked together.
    var cache: Cache?
    /// Whether every answer was right. If it is not, the figures of the row mean nothing.
    var verified: Bool
    /// What was wrong if the row is not verified; otherwise, other information for readers.
    var note: String?

    /// Percentiles of times in microseconds; all 0 if there are no times.
    struct Percentiles: Codable, Equatable {
        var p50 = 0.0
        var p90 = 0.0
        var p99 = 0.0
        var max = 0.0
    }

    /// The state of the system's page cache in a workload that depends on it.
    enum Cache: String, Codable {
        /// The page cache was dropped before each operation.
        case cold
        /// The page cache should have been dropped, but that was not permitted.
        case warm
    }

    /// The kind of contestant. Only backends are ranked.
    enum Role: String, Codable {
        case backend
        /// A design of other browsers, built for comparison only.
        case reference
        /// A store that does nothing, which shows the cost of measuring itself.
        case dry
    }
}

extension BenchResult.Percentiles {
    init(nanoseconds times: [Int]) {
        let sorted = times.sorted()
        func at(_ percent: Int) -> Double {
            let rank = (sorted.count * percent + 99) / 100
            return sorted.isEmpty ? 0 : Double(sorted[Swift.max(rank, 1) - 1]) / 1000
        }
        self.init(p50: at(50), p90: at(90), p99: at(99), max: at(100))
    }
}

extension BenchResult {
    /// The interval of the median; `nil` if it is not valid.
    var interval: ClosedRange<Double>? { Self.range(interval95) }

    /// The ratio to the floor; `nil` if there is none.
    var ratio: Double? { floorRatio > 0 && floorRatio.isFinite ? floorRatio : nil }

    /// The interval of the ratio; `nil` if either is missing.
    var ratioInterval: ClosedRange<Double>? {
        ratio == nil ? nil : ratioInterval95.flatMap(Self.range)
    }

    private static func range(_ ends: [Double]) -> ClosedRange<Double>? {
        guard ends.count == 2, ends.allSatisfy(\.isFinite), ends[0] <= ends[1] else { return nil }
        return ends[0]...ends[1]
    }

    /// The title of the work, such as `save-one-tab-state, 10 KiB`.
    var title: String {
        var title = workload
        if stateBytes > 0 { title += ", \(Figures.chosenBytes(stateBytes))" }
        if cache == .warm { title += ", warm: the page cache could not be dropped" }
        return title
    }

    /// Returns the index of the best of results of the same work and durability; `nil` if it is not
    /// certain.
    ///
    /// Only verified results of backends count. The best one is named only if there are at least two, and its
    /// interval is below those of all others. A missing interval could be anywhere, so there is no best
    /// result in that case, nor among results of a cold and a warm cache.
    static func best(of results: [BenchResult?]) -> Int? {
        var candidates: [(place: Int, interval: ClosedRange<Double>)] = []
        var caches: Set<Cache?> = []
        for case (let place, let result?) in results.enumerated()
        where result.role == .backend && result.verified {
            guard let interval = result.interval else { return nil }
            candidates.append((place, interval))
            caches.insert(result.cache)
        }
        guard candidates.count > 1, caches.count == 1,
            let first = candidates.min(by: { $0.interval.upperBound < $1.interval.upperBound })
        else { return nil }
        let isClear = candidates.allSatisfy {
            $0.place == first.place || first.interval.upperBound < $0.interval.lowerBound
        }
        return isClear ? first.place : nil
    }
}
