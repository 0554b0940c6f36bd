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
    func report(_ value: some Encodable, text: @autoclosure () -> [String]) throws {
        if format == .text, quiet { return }
        try print(value, text: text())
    }

    /// Prints the result in the selected format to standard output.
    func print(_ value: some Encodable, text: @autoclosure () -> [String]) throws {
        switch format {
        case .text: for line in text() { try Console.line(line) }
        case .json: try Console.json(try Self.json(value, isPretty: true) + "\n")
        case .jsonLines: try printLine(value)
        }
    }

    /// Prints the result in the selected format to standard output.
    func print(_ value: some Encodable, styled: @autoclosure () -> [StyledLine]) throws {
        guard format == .text else { return try print(value, text: []) }
        for line in styled() { try Console.line(line) }
    }

    /// Prints a result that consists of rows. JSON Lines contain only the rows.
    func print(
        _ value: some Encodable, rows: [some Encodable], text: @autoclosure () -> [String]
    ) throws {
        guard format == .jsonLines else { return try print(value, text: text()) }
        for row in rows { try printLine(row) }
    }

    /// Prints what a command did or would do, in rows. In text, a quiet command leaves that out.
    func report(
        _ value: some Encodable, rows: [some Encodable], text: @autoclosure () -> [String]
    ) throws {
        if format == .text, quiet { return }
        try print(value, rows: rows, text: text())
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

extension ColorChoice: ExpressibleByArgument {}
