/// A comparison of the results for one key.
struct RowComparison {
    let key: Comparison.Key
    let limit: Double
    /// A doubt about the two runs as a whole.
    var doubt: Comparison.Doubt?

    func row(_ old: [BenchResult], _ new: [BenchResult]) -> Comparison.Row {
        if case .builds(let old, let new) = doubt {
            return skipped("a \(old) build is not compared with a \(new) build")
        }
        guard let before = old.first else { return skipped("only the new run has this row") }
        guard let after = new.first else { return skipped("only the old run has this row") }
        guard old.count == 1, new.count == 1 else {
            return skipped("a run has this row more than once")
        }
        let wrong = [("old", before), ("new", after)].filter { !$0.1.verified }.map(\.0)
        guard wrong.isEmpty else {
            let runs = wrong.joined(separator: " and the ")
            return skipped("a wrong answer in the \(runs) run, so its figures mean nothing")
        }
        if let ratios = Self.ratios(before, after) {
            return judged(.ratio, ratios.old, ratios.new, after)
        }
        guard let old = Self.median(before), let new = Self.median(after) else {
            return skipped("a run has no interval for it")
        }
        return judged(.median, old, new, after)
    }

    private func skipped(_ note: String) -> Comparison.Row {
        Comparison.Row(key: key, verdict: .notCompared, fails: false, note: note)
    }

    private func judged(
        _ measure: Comparison.Measure, _ old: Comparison.Figure, _ new: Comparison.Figure,
        _ result: BenchResult
    ) -> Comparison.Row {
        let change = new.value / old.value - 1
        let interval = [new.lower / old.upper - 1, new.upper / old.lower - 1]
        let moves = measure.repeatability
        let verdict: Comparison.Verdict =
            if doubt == .sameProgram {
                abs(change) <= limit ? .noDifference : .cannotTell
            } else if new.lower > old.upper * moves {
                .slower
            } else if new.upper * moves < old.lower {
                .faster
            } else {
                interval[1] <= limit && interval[0] >= -limit ? .noDifference : .cannotTell
            }
        let isBackend = result.kind == .backend
        return Comparison.Row(
            key: key, verdict: verdict, measure: measure, old: old, new: new, change: change,
            changeInterval: interval,
            fails: verdict == .slower && change > limit && isBackend,
            note: isBackend ? nil : "not a backend, so it never fails the comparison")
    }

    /// Returns both ratios; `nil` if the floors differ or a ratio cannot be compared.
    private static func ratios(
        _ old: BenchResult, _ new: BenchResult
    ) -> (old: Comparison.Figure, new: Comparison.Figure)? {
        if let before = old.floor, let after = new.floor, before != after { return nil }
        guard let before = figure(old.ratio, old.ratioInterval),
            let after = figure(new.ratio, new.ratioInterval)
        else { return nil }
        return (before, after)
    }

    private static func median(_ result: BenchResult) -> Comparison.Figure? {
        figure(result.microseconds.p50, result.interval)
    }

    /// Returns a figure that can be divided, which must be above zero; otherwise, `nil`.
    private static func figure(
        _ value: Double?, _ interval: ClosedRange<Double>?
    ) -> Comparison.Figure? {
        guard let value, value > 0, value.isFinite, let interval, interval.lowerBound > 0 else {
            return nil
        }
        return .init(value: value, lower: interval.lowerBound, upper: interval.upperBound)
    }
}
