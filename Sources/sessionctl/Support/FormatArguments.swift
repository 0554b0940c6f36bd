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

    /// Prints the result in the selected format to standard output.
    func print(_ value: some Encodable, text: @autoclosure () -> [String]) throws {
        switch format {
        case .text: for line in text() { try Console.line(line) }
        case .json: try Console.json(try Self.json(value, isPretty: true) + "\n")
        case .jsonLines: try printLine(value)
        }
    }

    /// Prints a result that consists of rows. JSON Lines contain only the rows.
    func print(
        _ value: some Encodable, rows: [some Encodable], text: @autoclosure () -> [String]
    ) throws {
        guard format == .jsonLines else { return try print(value, text: text()) }
        for row in rows { try printLine(row) }
    }

    /// Prints an object as a line of JSON Lines.
    func printLine(_ value: some Encodable) throws {
        try Console.json(try Self.json(value, isPretty: false) + "\n")
    }

    private static func json(_ value: some Encodable, isPretty: Bool) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
