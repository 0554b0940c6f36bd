import BrowserSessions

/// The results of a report in the order of every format: by durability, then work, then the number
/// of tabs. Each contestant has a column.
struct ReportSections {
    /// A measured contestant.
    struct Contestant: Hashable {
        var name: String
        var role: BenchResult.Role

        /// The title, such as `dry (not ranked)`.
        var title: String { role == .backend ? name : "\(name) (not ranked)" }
    }

    /// The results for one durability. A table only ever compares these.
    struct Section {
        var durability: Durability
        var contestants: [Contestant]
        var works: [Work]
    }

    /// A workload with a size of state, under one set of conditions.
    struct Work {
        var workload: String
        var stateBytes: Int
        var conditions = BenchResult.Conditions()
        var rows: [Row]

        /// The title, such as `save-one-tab-state, 10 KiB`.
        var title: String {
            let parts = [
                workload, stateBytes == 0 ? nil : Figures.chosenBytes(stateBytes),
                conditions.words,
            ]
            return parts.compactMap(\.self).joined(separator: ", ")
        }
    }

    /// The results of one size, one for each contestant.
    struct Row {
        var tabs: Int
        var cells: [BenchResult?]
        /// The index of the best cell; `nil` if it is not certain.
        var best: Int?
    }

    let sections: [Section]

    init(_ report: BenchReport) {
        sections = Durability.allCases.sorted(by: >).compactMap { durability in
            let results = report.results.filter { $0.durability == durability }
            return results.isEmpty ? nil : Self.section(durability, results)
        }
    }

    private static func section(_ durability: Durability, _ results: [BenchResult]) -> Section {
        let all = unique(results.map { Contestant(name: $0.backend, role: $0.kind) })
        let roles: [BenchResult.Role] = [.backend, .reference, .dry]
        let contestants = roles.flatMap { role in all.filter { $0.role == role } }
        let works = unique(results.map(Key.init)).map { key in
            Work(
                workload: key.workload, stateBytes: key.stateBytes, conditions: key.conditions,
                rows: rows(results.filter { Key($0) == key }, contestants))
        }
        return Section(durability: durability, contestants: contestants, works: works)
    }

    /// The properties that the results of one ``Work`` share.
    private struct Key: Hashable {
        var workload: String
        var stateBytes: Int
        var conditions: BenchResult.Conditions

        init(_ result: BenchResult) {
            workload = result.workload
            stateBytes = result.stateBytes
            conditions = result.conditions
        }
    }

    private static func rows(_ results: [BenchResult], _ contestants: [Contestant]) -> [Row] {
        Set(results.map(\.tabs)).sorted().flatMap { tabs in
            let columns = contestants.map { contestant in
                results.filter {
                    $0.tabs == tabs && $0.backend == contestant.name && $0.kind == contestant.role
                }
            }
            // A contestant that was measured twice gets a second row, so no result is omitted.
            return (0..<(columns.map(\.count).max() ?? 0)).map { turn in
                let cells = columns.map { turn < $0.count ? $0[turn] : nil }
                return Row(tabs: tabs, cells: cells, best: Ranking.best(of: cells))
            }
        }
    }

    private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }
}
