import BrowserSessions
import SessionSamples

/// A collector that makes the report's rows from the answers of children.
struct RowCollector {
    private struct Key: Hashable {
        var contestant: String
        var job: Job
    }

    /// The answers to one job, and its syncs.
    private struct Row {
        var answers: [JobAnswer] = []
        var syncs: Double?

        var wrong: String? { first(\.wrong) }
        var failure: String? { first(\.failure) }
        var unsupported: String? { first(\.unsupported) }

        func first<Value>(_ path: KeyPath<JobAnswer, Value?>) -> Value? {
            answers.lazy.compactMap { $0[keyPath: path] }.first
        }
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
        for answer in outcome.answers + missing(outcome, of: order) {
            let key = Key(contestant: order.contestant.label, job: answer.job)
            rows[key, default: Row()].answers.append(answer)
        }
        for (place, syncs) in outcome.syncs ?? [:] where order.jobs.indices.contains(place) {
            let key = Key(contestant: order.contestant.label, job: order.jobs[place])
            rows[key, default: Row()].syncs = syncs
        }
    }

    /// Returns answers for the jobs that the child did not reach.
    private func missing(_ outcome: ChildOutcome, of order: JobOrder) -> [JobAnswer] {
        let done = Set(outcome.answers.map(\.job))
        let last = outcome.answers.last?.job.workload
        return order.jobs.filter { !done.contains($0) }.map { job in
            var answer = JobAnswer(job: job)
            let after = last.map { "; the job before was \($0)" } ?? ""
            answer.failure =
                outcome.problem.map { "not finished: \($0)\(after)" }
                ?? "not finished: \(last ?? "an earlier job") went wrong before"
            return answer
        }
    }

    // MARK: - The report

    /// Returns the rows in the order of tables, without those that have no results.
    func results(_ plan: BenchPlan) -> [BenchResult] {
        var bootstrap = Bootstrap(seed: plan.seed)
        var results: [BenchResult] = []
        let jobs = plan.workloads.flatMap { workload in
            plan.tabs.flatMap { plan.jobs(workload, tabs: $0) }
        }
        for job in jobs {
            for contestant in plan.contestants {
                let key = Key(contestant: contestant.name.label, job: job)
                guard let row = rows[key], row.unsupported == nil else { continue }
                results.append(result(job, row, contestant, &bootstrap))
            }
        }
        return results
    }

    private func result(
        _ job: Job, _ row: Row, _ contestant: Contestant, _ bootstrap: inout Bootstrap
    ) -> BenchResult {
        let all = row.answers.flatMap(\.operation)
        let times = row.answers.map { $0.operation.map { Double($0) / 1000 } }
        let interval = bootstrap.interval95(times)
        let isCold = row.answers.compactMap(\.isCold)
        let cache: BenchResult.Cache? =
            isCold.isEmpty ? nil : isCold.contains(false) ? .warm : .cold
        var result = BenchResult(
            backend: contestant.name.label, role: contestant.role, workload: job.workload,
            tabs: job.tabs, stateBytes: job.stateBytes, durability: job.durability,
            samples: all.count, microseconds: .init(nanoseconds: all),
            interval95: interval.isEmpty ? [0, 0] : interval,
            bytesWritten: Int(Median.of(row.answers.flatMap(\.bytes).map(Double.init))),
            syncs: row.syncs ?? 0,
            cache: cache,
            verified: row.wrong == nil && row.failure == nil && !all.isEmpty)
        let remarks = [row.first(\.remark), Self.tails(job, result.microseconds.p99, row)]
            .compactMap(\.self).joined(separator: " ")
        result.note = row.wrong ?? row.failure ?? (remarks.isEmpty ? nil : remarks)
        let floor = Self.compared(row.answers, \.floor, &bootstrap)
        if let floor {
            result.floor = Workload.named(job.workload)?.floor
            result.floorMicroseconds = floor.microseconds
            result.floorRatio = floor.ratio
            result.ratioInterval95 = floor.interval
        }
        if let overwrite = Self.compared(row.answers, \.overwrite, &bootstrap) {
            result.overwriteMicroseconds = overwrite.microseconds
            result.overwriteRatio = overwrite.ratio
        }
        return result
    }

    /// Returns how the 99th percentile compares with that of the floor; `nil` if nothing asks for it.
    private static func tails(_ job: Job, _ p99: Double, _ row: Row) -> String? {
        let floor = row.answers.flatMap(\.floor)
        guard let workload = Workload.named(job.workload), workload.comparesTails, !floor.isEmpty
        else { return nil }
        let other = BenchResult.Percentiles(nanoseconds: floor).p99
        return "p99 was \(Figures.time(p99)), and \(Figures.time(other)) for the floor:"
            + " \(Figures.ratio(p99 / max(other, 0.001))) times."
    }

    /// Returns the floor and the median of the pairs' ratios; `nil` if there is no floor.
    private static func compared(
        _ answers: [JobAnswer], _ floor: KeyPath<JobAnswer, [Int]>, _ bootstrap: inout Bootstrap
    ) -> (microseconds: Double, ratio: Double, interval: [Double])? {
        let floors = answers.flatMap { $0[keyPath: floor] }.map { Double($0) / 1000 }
        guard !floors.isEmpty else { return nil }
        let ratios = answers.map { answer in
            zip(answer.operation, answer[keyPath: floor]).map { Double($0) / Double(max($1, 1)) }
        }
        return (
            Median.of(floors), Median.of(ratios.flatMap { $0 }), bootstrap.interval95(ratios)
        )
    }
}
