import ArgumentParser
import CommandLineSupport
import Foundation
import ToolSupport

/// The arguments that select text for people or JSON for programs.
struct FormatArguments: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
        case jsonLines = "json-lines"
    }

    @Option(
        help: """
            How to print the result: text, json, or json-lines: an object a line, each as soon as it is \
            known.
            """)
    var format: Format = .text

    @Flag(name: .shortAndLong, help: "Say only what was asked for, and errors.")
    var quiet = false

    @Option(
        help: "Color the text: auto, which is in a terminal without NO_COLOR; always, or never.")
    var color: ColorChoice = .auto

    /// How the command prints.
    var style: ConsoleStyle {
        ConsoleStyle(
            isQuiet: quiet,
            isColored: format == .text
                && color.isColored(
                    isTerminal: StandardStream.output.isTerminal,
                    environment: OwnProgram.environment)
        )
    }

    /// Prints what a command did or would do. In text, a quiet command leaves that out.
    func report(_ answer: Answer) throws {
        if format != .text || !quiet { try print(answer) }
    }

    /// Prints an answer in the selected format to standard output.
    func print(_ answer: Answer) throws {
        switch format {
        case .text:
            for line in answer.text.flatMap(\.styledLines) { try Console.line(line) }
        case .json: try printJSON(answer.value, .prettyPrinted)
        case .jsonLines: for row in answer.rows { try printJSON(row) }
        }
    }

    /// Prints a row of a longer result at once in JSON Lines. Returns whether it did.
    func printRow(_ row: some Encodable) throws -> Bool {
        if format == .jsonLines { try printJSON(row) }
        return format == .jsonLines
    }

    private func printJSON(
        _ value: any Encodable, _ formatting: JSONEncoder.OutputFormatting = []
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        try Console.json(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }
}

extension ColorChoice: ExpressibleByArgument {}
