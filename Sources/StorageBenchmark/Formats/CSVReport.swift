import BrowserSessions

/// The results as CSV according to RFC 4180: a line of names, then a line for each result, ending
/// with CR and LF. Each line has the part of the environment that decides whether lines can be
/// compared, so that lines of several runs can share a sheet. JSON has the whole environment.
struct CSVReport {
    private let report: BenchReport

    init(_ report: BenchReport) { self.report = report }

    func written() -> String {
        let places = Self.environment(report.environment)
        let rows =
            [Self.columns.map(\.name) + places.map(\.name)]
            + report.results.map { result in
                Self.columns.map { $0.value(result) } + places.map(\.value)
            }
        return rows.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    struct Column: Sendable {
        var name: String
        var value: @Sendable (BenchResult) -> String
    }

    /// All keys of a result. Intervals and percentiles have a column for each of their parts.
    static let columns: [Column] = [
        Column(name: "backend") { $0.backend },
        Column(name: "role") { $0.kind.rawValue },
        Column(name: "workload") { $0.workload },
        Column(name: "tabs") { "\($0.tabs)" },
        Column(name: "stateBytes") { "\($0.stateBytes)" },
        Column(name: "durability") { $0.durability.rawValue },
        Column(name: "samples") { "\($0.samples)" },
        Column(name: "microseconds.p50") { "\($0.microseconds.p50)" },
        Column(name: "microseconds.p90") { "\($0.microseconds.p90)" },
        Column(name: "microseconds.p99") { "\($0.microseconds.p99)" },
        Column(name: "microseconds.max") { "\($0.microseconds.max)" },
        Column(name: "interval95.lower") { $0.interval.map { "\($0.lowerBound)" } ?? "" },
        Column(name: "interval95.upper") { $0.interval.map { "\($0.upperBound)" } ?? "" },
        Column(name: "floor") { $0.floor ?? "" },
        Column(name: "floorMicroseconds") { "\($0.floorMicroseconds)" },
        Column(name: "floorRatio") { "\($0.floorRatio)" },
        Column(name: "ratioInterval95.lower") { $0.ratioInterval.map { "\($0.lowerBound)" } ?? "" },
        Column(name: "ratioInterval95.upper") { $0.ratioInterval.map { "\($0.upperBound)" } ?? "" },
        Column(name: "overwriteMicroseconds") { $0.overwriteMicroseconds.map { "\($0)" } ?? "" },
        Column(name: "overwriteRatio") { $0.overwriteRatio.map { "\($0)" } ?? "" },
        Column(name: "bytesWritten") { "\($0.bytesWritten)" },
        Column(name: "syncs") { "\($0.syncs)" },
        Column(name: "peakRSSBytes") { "\($0.peakRSSBytes)" },
        Column(name: "diskBytes") { $0.diskBytes.map { "\($0)" } ?? "" },
        Column(name: "cache") { $0.cache?.rawValue ?? "" },
        Column(name: "loop") { ($0.loop ?? .closed).rawValue },
        Column(name: "rate") { $0.rate.map { "\($0)" } ?? "" },
        Column(name: "endurance.saves") { $0.endurance.map { "\($0.saves)" } ?? "" },
        Column(name: "endurance.tailRatio") { $0.endurance.map { "\($0.tailRatio)" } ?? "" },
        Column(name: "endurance.durableMicroseconds.p50") {
            $0.endurance.map { "\($0.durableMicroseconds.p50)" } ?? ""
        },
        Column(name: "endurance.durableMicroseconds.p99") {
            $0.endurance.map { "\($0.durableMicroseconds.p99)" } ?? ""
        },
        Column(name: "endurance.afterRestMicroseconds.p50") {
            $0.endurance.map { "\($0.afterRestMicroseconds.p50)" } ?? ""
        },
        Column(name: "endurance.afterRestMicroseconds.p99") {
            $0.endurance.map { "\($0.afterRestMicroseconds.p99)" } ?? ""
        },
        Column(name: "endurance.diskBytes") { $0.endurance.map { "\($0.diskBytes)" } ?? "" },
        Column(name: "endurance.mostDiskBytes") {
            $0.endurance.map { "\($0.mostDiskBytes)" } ?? ""
        },
        Column(name: "endurance.freshDiskBytes") {
            $0.endurance.map { "\($0.freshDiskBytes)" } ?? ""
        },
        Column(name: "endurance.openRatio") { $0.endurance.map { "\($0.openRatio)" } ?? "" },
        Column(name: "endurance.restoreRatio") { $0.endurance.map { "\($0.restoreRatio)" } ?? "" },
        Column(name: "verified") { "\($0.verified)" },
        Column(name: "distribution") { result in
            (result.distribution ?? []).map { "\($0.upTo):\($0.count)" }.joined(separator: ";")
        },
        Column(name: "note") { $0.note ?? "" },
    ]

    /// Returns the columns that are the same in every line.
    private static func environment(
        _ environment: BenchEnvironment
    ) -> [(name: String, value: String)] {
        [
            ("environment.cpu", environment.cpu), ("environment.kernel", environment.kernel),
            ("environment.filesystem", environment.filesystem),
            ("environment.swift", environment.swift),
            ("environment.libraries", environment.libraryNames),
            ("environment.revision", environment.revision),
        ]
    }

    /// Returns a field, quoted only if necessary.
    static func quoted(_ field: String) -> String {
        let needsQuotes = field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        guard needsQuotes else { return field }
        return "\""
            + field.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}
