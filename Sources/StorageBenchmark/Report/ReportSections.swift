import BrowserSessions

/// The results of a report in the order of every format: by durability, then work, then the number
/// of tabs.
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
        var rows: [Row]
    }

    /// The results of one work and size, one for each contestant.
    struct Row {
        /// The title of the work.
        var title: String
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
        let all = unique(results.map { Contestant(name: $0.backend, role: $0.role) })
        let roles: [BenchResult.Role] = [.backend, .reference, .dry]
        let contestants = roles.flatMap { role in all.filter { $0.role == role } }
        let rows = unique(results.map(\.title)).flatMap { title in
            let ofWork = results.filter { $0.title == title }
            return Set(ofWork.map(\.tabs)).sorted().map { tabs in
                let cells = contestants.map { contestant in
                    ofWork.first {
                        $0.tabs == tabs && $0.backend == contestant.name
                            && $0.role == contestant.role
                    }
                }
                return Row(
                    title: title, tabs: tabs, cells: cells, best: BenchResult.best(of: cells))
            }
        }
        return Section(durability: durability, contestants: contestants, rows: rows)
    }

    private static func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }
}
