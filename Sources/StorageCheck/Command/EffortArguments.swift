import ArgumentParser
import StorageConformance

/// The arguments for how much a command tries, and how fast.
struct EffortArguments: ParsableArguments {
    @Option(help: "How many cases run at the same time.")
    var jobs = ConformanceRun.defaultJobs

    @Option(help: "Decides everything that is random.")
    var seed: UInt64 = 1

    @Option(help: "How much the cases that count something try: quick, full or long.")
    var depth = SuiteDepth.full

    @Option(
        name: .customLong("time-limit"),
        help: ArgumentHelp(
            "The longest that a case may take, if that is less than its own.",
            valueName: "seconds"))
    private var seconds: Int?

    /// The limit as a duration; `nil` if every case has its own limit.
    var longestTime: Duration? { seconds.map { .seconds($0) } }

    func validate() throws {
        guard jobs > 0 else { throw ValidationError("--jobs must be 1 or more") }
        guard seconds ?? 1 > 0 else { throw ValidationError("--time-limit must be 1 or more") }
    }
}
