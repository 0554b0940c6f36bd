import BrowserSessions
import SessionSamples

/// A collector that makes the report's rows from the answers of children.
struct RowCollector {
    private struct Key: Hashable {
        var contestant: String
        var job: Job
    }

    private struct Row {
        var operation: [[Int]] = []
        var floor: [[Int]] = []
        var overwrite: [[Int]] = []
        var bytes: [Double] = []
        var syncs: Double?
        var peaks: [Int] = []
        var disk = 0
        var wrong: String?
        var failure: String?
        var unsupported: String?
        var remark: String?
        var isCold: Bool?
        var endurance: EnduranceFigures?
    }

    private var rows: [Key: Row] = [:]

    /// Sentences about what contestants cannot do.
    var inabilities: [String] {
        Set(
            rows.compactMap { key, row in
                row.unsupported.map { "\(key.contestant) does not do \(key.job.workload): \($0)" }
            }
        ).sorted()
    }

    /// Whether a contestant gave a wrong answer.
    var hasWrongAnswer: Bool { rows.values.contains { $0.wrong != nil } }
    var failedRows: Int { rows.values.count { $0.failure != nil } }

    mutating func add(_ outcome: ChildOutcome, of order: JobOrder) {
        let label = order.contestant.label
        for answer in outcome.answers {
            var row = rows[Key(contestant: label, job: answer.job)] ?? Row()
            if !order.isCounting {
                row.operation.append(answer.operation)
                row.floor.append(answer.floor)
                row.overwrite.append(answer.overwrite)
                row.peaks.append(answer.peakRSSBytes)
                row.disk = max(row.disk, answer.diskBytes)
                row.remark = row.remark ?? answer.remark
                row.endurance = row.endurance ?? answer.endurance
                if let isCold = answer.isCold { row.isCold = isCold && row.isCold ?? true }
            }
            row.bytes += answer.bytes.map { Double($0) }
            row.wrong = row.wrong ?? answer.wrong
            row.failure = row.failure ?? answer.failure
            row.unsupported = row.unsupported ?? answer.unsupported
            rows[Key(contestant: label, job: answer.job)] = row
        }
        for (place, syncs) in outcome.syncs ?? [:] where order.jobs.indices.contains(place) {
            rows[Key(contestant: label, job: order.jobs[place]), default: Row()].syncs = syncs
        }
        addMissing(outcome, of: order)
    }

    /// Marks jobs that the child did not reach.
    private mutating func addMissing(_ outcome: ChildOutcome, of order: JobOrder) {
        let done = Set(outcome.answers.map(\.job))
        let culprit = outcome.answers.last
        for job in order.jobs where !done.contains(job) {
            var row = rows[Key(contestant: order.contestant.label, job: job)] ?? Row()
            let after = culprit.map { "; the job before was \($0.job.workload)" } ?? ""
            let reason =
                outcome.problem.map { "not finished: \($0)\(after)" }
                ?? "not finished: \(culprit?.job.workload ?? "an earlier job") went wrong before"
            row.failure = row.failure ?? reason
            rows[Key(contestant: order.contestant.label, job: job)] = row
        }
    }

    // MARK: - The report

    /// Returns the rows in the order of tables, without those that have no results.
    func results(_ plan: BenchPlan) -> [BenchResult] {
        var bootstrap = Bootstrap(seed: plan.seed)
        var results: [BenchResult] = []
        let jobs = plan.tabs.flatMap { plan.jobs(tabs: $0) }
        let ranks = Dictionary(
            uniqueKeysWithValues: plan.workloads.enumerated().map { ($1.name, $0) })
        let ordered = jobs.enumerated().sorted { left, right in
            let (first, second) = (ranks[left.element.workload], ranks[right.element.workload])
            return first == second
                ? left.offset < right.offset : (first ?? 0) < (second ?? 0)
        }
        for job in ordered.map(\.element) {
            for contestant in plan.contestants {
                let key = Key(contestant: contestant.name.label, job: job)
                guard let row = rows[key], row.unsupported == nil else { continue }
                var result = result(job, row, contestant, &bootstrap)
                result.loop = plan.rate == nil ? .closed : .open
                result.rate = plan.rate
                results.append(result)
            }
        }
        return results
    }

    private func result(
        _ job: Job, _ row: Row, _ contestant: Contestant, _ bootstrap: inout Bootstrap
    ) -> BenchResult {
        let times = row.operation.map { $0.map { Double($0) / 1000 } }
        let all = row.operation.flatMap { $0 }
        let distribution = Distribution(nanoseconds: all)
        var result = BenchResult(
            backend: contestant.name.label, workload: job.workload, tabs: job.tabs,
            stateBytes: job.stateBytes, durability: job.durability, samples: all.count,
            microseconds: distribution.percentiles, interval95: bootstrap.interval95(times),
            bytesWritten: Int(Median.of(row.bytes)), syncs: row.syncs ?? 0,
            peakRSSBytes: Int(Median.of(row.peaks.map { Double($0) })),
            verified: row.wrong == nil && row.failure == nil && !all.isEmpty)
        if result.interval95.isEmpty { result.interval95 = [0, 0] }
        result.role = contestant.role
        result.diskBytes = row.disk
        result.distribution = distribution.buckets
        let remarks = [row.remark, Self.tails(job, result.microseconds.p99, row)]
            .compactMap(\.self).joined(separator: " ")
        result.note = row.wrong ?? row.failure ?? (remarks.isEmpty ? nil : remarks)
        result.cache = row.isCold.map { $0 ? .cold : .warm }
        result.endurance = row.endurance.map {
            BenchResult.Endurance($0, saves: all.count, result.microseconds)
        }
        let floor = Self.compared(row.operation, row.floor, &bootstrap)
        if let floor {
            result.floor = Workload.named(job.workload)?.floor?.rawValue
            result.floorMicroseconds = floor.microseconds
            result.floorRatio = floor.ratio
            result.ratioInterval95 = floor.interval
        }
        if let overwrite = Self.compared(row.operation, row.overwrite, &bootstrap) {
            result.overwriteMicroseconds = overwrite.microseconds
            result.overwriteRatio = overwrite.ratio
        }
        return result
    }

    /// Returns how the 99th percentile compares with that of the floor; `nil` if nothing asks for it.
    private static func tails(_ job: Job, _ p99: Double, _ row: Row) -> String? {
        let floor = row.floor.flatMap { $0 }
        guard let workload = Workload.named(job.workload), workload.comparesTails, !floor.isEmpty
        else { return nil }
        let other = Distribution(nanoseconds: floor).percentiles.p99
        return "p99 was \(Figures.time(p99)), and \(Figures.time(other)) for the floor:"
            + " \(Figures.ratio(p99 / max(other, 0.001))) times."
    }

    /// Returns the floor and the median of the pairs' ratios; `nil` if there is no floor.
    private static func compared(
        _ operation: [[Int]], _ floor: [[Int]], _ bootstrap: inout Bootstrap
    ) -> (microseconds: Double, ratio: Double, interval: [Double])? {
        let floors = floor.flatMap { $0 }.map { Double($0) / 1000 }
        guard !floors.isEmpty else { return nil }
        let ratios = zip(operation, floor).map { pair in
            zip(pair.0, pair.1).map { Double($0) / Double(max($1, 1)) }
        }
        return (
            Median.of(floors), Median.of(ratios.flatMap { $0 }), bootstrap.interval95(ratios)
        )
    }
}
