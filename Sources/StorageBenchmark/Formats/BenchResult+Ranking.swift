extension BenchResult {
    /// The role. Results in old files have none and belong to backends.
    var kind: Role { role ?? .backend }

    /// The interval of the median; `nil` if it is not valid.
    var interval: ClosedRange<Double>? { Self.range(interval95) }

    /// The ratio to the floor; `nil` if there is none.
    var ratio: Double? { floorRatio > 0 && floorRatio.isFinite ? floorRatio : nil }

    /// The interval of the ratio; `nil` if either is missing.
    var ratioInterval: ClosedRange<Double>? {
        ratio == nil ? nil : ratioInterval95.flatMap(Self.range)
    }

    /// The distance from the median to the farther end, as a fraction of the median, for display after ±.
    var uncertainty: Double? {
        guard let interval, microseconds.p50 > 0 else { return nil }
        return max(
            interval.upperBound - microseconds.p50, microseconds.p50 - interval.lowerBound, 0)
            / microseconds.p50
    }

    private static func range(_ ends: [Double]) -> ClosedRange<Double>? {
        guard ends.count == 2, ends.allSatisfy(\.isFinite), ends[0] <= ends[1] else { return nil }
        return ends[0]...ends[1]
    }
}

/// A search for the best of several results of the same work, if it is certain.
enum Ranking {
    /// Returns the index of the best of results with the same work and durability; `nil` if it is not
    /// certain.
    ///
    /// Only verified results of backends count. The best one is named only if there are at least two, and its
    /// interval is below those of all others. A missing interval could be anywhere, so there is no best
    /// result in that case, nor among results of different conditions, such as a cold and a warm cache.
    static func best(of results: [BenchResult?]) -> Int? {
        var candidates: [(place: Int, interval: ClosedRange<Double>)] = []
        for case (let place, let result?) in results.enumerated()
        where result.kind == .backend && result.verified {
            guard let interval = result.interval else { return nil }
            candidates.append((place, interval))
        }
        let conditions = Set(candidates.compactMap { results[$0.place]?.conditions })
        guard conditions.count == 1 else { return nil }
        candidates.sort { $0.interval.upperBound < $1.interval.upperBound }
        guard candidates.count > 1, let first = candidates.first else { return nil }
        let isClear = candidates.dropFirst().allSatisfy {
            first.interval.upperBound < $0.interval.lowerBound
        }
        return isClear ? first.place : nil
    }
}
