import ArgumentParser
import CommandLineSupport

/// A command that reports whether a change made something slower.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares two runs and fails where something is certainly slower.",
        discussion: """
            Both files are results in JSON (--format json). Ratios to the floor are compared where \
            both runs have them, else medians. Only what lies outside of the 95 % intervals counts, and \
            is more than two runs of one program differ: 5 % of a ratio, threefold of a time. Two runs \
            of one program show how much that is, and never fail.

            Exit codes: 0 nothing is certainly slower by more than the limit; 1 something is; 2 the \
            runs cannot be compared; 64 the command line is wrong.
            """)

    @Argument(help: "The results of before.")
    var old: String

    @Argument(help: "The results of now.")
    var new: String

    @Option(
        help: "How much slower a row may be, in percent: 10%.", transform: Self.limit)
    var failAbove: Double = 0.1

    func run() throws {
        let comparison = Comparison(
            old: try BenchReport(file: old), new: try BenchReport(file: new), limit: failAbove)
        Console.messages(comparison.warnings.map { "storagebench: warning: \($0)" })
        try Console.result(comparison.written())
        if comparison.exitCode != 0 { throw ExitCode(comparison.exitCode) }
    }

    /// Parses `10%` or `2.5 %`. Refuses a number alone, which could mean a fraction or a percentage.
    static func limit(_ text: String) throws -> Double {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        let number = parts.first.map { $0.filter { $0 != " " } } ?? ""
        guard parts.count == 2, parts[1].isEmpty, let percent = Double(number),
            (0...1_000_000).contains(percent)
        else {
            throw ValidationError("'\(text)' is not a limit; give percent, such as 10%")
        }
        return percent / 100
    }
}
