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

    @Option(
        help: "text, markdown or json; by default what the name of --output says.",
        transform: Self.format)
    var format: BenchFormat?

    @Option(help: "Where to write; standard output by default.")
    var output: String?

    @Option(help: "A file with a marked block, which is rewritten.")
    var readme: String?

    func validate() throws {
        guard readme == nil || (format == nil && output == nil) else {
            throw ValidationError(
                "--readme writes Markdown into a file that is there; "
                    + "give --format and --output in a call of their own")
        }
    }

    func run() throws { try outcome().conclude() }

    func outcome() -> CommandOutcome {
        do throws(CommandError) {
            let report = try CommandFile.report(results)
            if let readme { return try rewrite(readme, report) }
            let text = try written(report, format ?? Self.format(ofFile: output) ?? .text)
            guard let output else { return CommandOutcome(output: text) }
            try CommandFile.write(Array(text.utf8), output)
            return CommandOutcome(messages: ["storagebench: wrote '\(output)'"])
        } catch {
            return .impossible(error.message)
        }
    }

    private func rewrite(
        _ readme: String, _ report: BenchReport
    ) throws(CommandError) -> CommandOutcome {
        let before = try CommandFile.read(readme)
        let tables = try written(report, .markdown)
        let after: [UInt8]
        do throws(MarkedBlock.Failure) {
            after = try MarkedBlock.replaced(in: before, with: "\n\(tables)\n")
        } catch {
            throw CommandError(message: "cannot rewrite '\(readme)': \(error.message)")
        }
        guard after != before else {
            return CommandOutcome(messages: ["storagebench: '\(readme)' is up to date"])
        }
        try CommandFile.write(after, readme)
        return CommandOutcome(messages: ["storagebench: rewrote the block in '\(readme)'"])
    }

    private func written(
        _ report: BenchReport, _ format: BenchFormat
    ) throws(CommandError) -> String {
        do {
            return try report.formatted(format)
        } catch {
            throw CommandError(message: "cannot write '\(results)' as \(format.rawValue): \(error)")
        }
    }

    private static func format(ofFile path: String?) -> BenchFormat? {
        guard let name = path?.split(separator: "/").last, let dot = name.lastIndex(of: ".") else {
            return nil
        }
        return BenchFormat(fileExtension: String(name[dot...]))
    }

    static func format(_ text: String) throws -> BenchFormat {
        guard let format = BenchFormat(rawValue: text.lowercased()) else {
            let names = BenchFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no format '\(text)'; there are \(names)")
        }
        return format
    }
}
