import ArgumentParser
import CommandLineSupport
import ToolSupport

/// Text for people or JSON for programs.
struct FormatArguments: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Option(help: "How to print the result: text or json.")
    var format: Format = .text

    /// Prints the result, in one of its two forms, to standard output.
    func print(_ value: some Encodable, text: @autoclosure () -> [String]) throws {
        switch format {
        case .text: for line in text() { Console.line(line) }
        case .json: Console.line(try Console.json(value))
        }
    }
}
