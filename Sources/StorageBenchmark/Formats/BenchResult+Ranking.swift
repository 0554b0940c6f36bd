extension BenchResult {
    /// Old files know no roles; what they measured were backends.
    var kind: Role { role ?? .backend }

    /// The interval of the median, if it is one.
    var interval: ClosedRange<Double>? { Self.range(interval95) }

    /// The ratio to the floor, if it has one.
    var ratio: Double? { floorRatio > 0 && floorRatio.isFinite ? floorRatio : nil }

    /// The interval of the ratio, if there are both.
    var ratioInterval: ClosedRange<Double>? {
        ratio == nil ? nil : ratioInterval95.flatMap(Self.range)
    }

    /// How far the interval reaches from the median, as a part of it: what stands behind ±.
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

/// Says which of several results of the same work is the best one, if that is certain.
enum Ranking {
    /// The place of the best of results that did the same work with the same durability.
    ///
    /// Only verified results of backends are looked at. The best one is named only if there are at
    /// least two, and its interval lies below those of all others; an interval that is missing
    /// could be anywhere, so then there is no best one. Nor is there one of results that were
    /// measured under different conditions, such as a cold and a warm cache.
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
