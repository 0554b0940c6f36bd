import ArgumentParser
import CommandLineSupport

/// A command that writes the results of an earlier run in another format, or into a README.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes the results of an earlier run in another form, or into a README.",
        discussion: """
            --readme replaces what stands between the lines '\(MarkedBlock.begin)' and \
            '\(MarkedBlock.end)' with the Markdown tables, and leaves the rest of the file alone.

            Exit codes: 0 done; 2 it could not be done; 64 the command line is wrong.
            """)

    @Argument(help: "Results in JSON (--format json).")
    var results: String

    @OptionGroup var report: ReportArguments<BenchFormat>

    @Option(help: "A file with a marked block, which is rewritten; nothing else is written then.")
    var readme: String?

    func run() throws {
        try report.check()
        let measured = try BenchReport(file: results)
        if let readme { return try rewrite(readme, measured) }
        let problems = try report.write(measured.formatted)
        Console.messages(problems.map { "storagebench: \($0)" })
        if !problems.isEmpty { throw ExitCode(2) }
    }

    private func rewrite(_ readme: String, _ report: BenchReport) throws {
        guard let before = String(validating: try CommandFile.read(readme), as: UTF8.self) else {
            throw CommandError(message: "cannot rewrite '\(readme)': it is not UTF-8")
        }
        let tables = try report.formatted(.markdown)
        do throws(CommandError) {
            let after = try MarkedBlock.replaced(in: before, with: "\n\(tables)")
            try CommandFile.write(Array(after.utf8), readme)
        } catch {
            throw CommandError(message: "cannot rewrite '\(readme)': \(error)")
        }
        Console.message("storagebench: rewrote the block in '\(readme)'")
    }
}
