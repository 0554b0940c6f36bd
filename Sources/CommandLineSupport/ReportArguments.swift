import ArgumentParser
import BackendSelection
import Foundation

/// A format for a tool's report.
package protocol ReportFileFormat: CaseIterable, Equatable, RawRepresentable, Sendable
where RawValue == String {
    /// The extensions of its files, such as `md`. The usual one comes first.
    var fileEndings: [String] { get }

    /// Whether its text is JSON, where escaped characters keep their meaning.
    var isJSON: Bool { get }
}

/// The arguments that select the formats of a report and where each one goes.
package struct ReportArguments<Format: ReportFileFormat>: ParsableArguments {
    @Option(
        name: .customLong("format"), parsing: .singleValue,
        help: ArgumentHelp(
            "\(Self.names(Array(Format.allCases))); several, separated by commas or repeated, are"
                + " each for the --output at the same place; the rest is printed.",
            valueName: "format"), transform: Self.formats)
    private var lists: [[Format]] = []

    @Option(
        name: .customLong("output"), parsing: .singleValue,
        help: ArgumentHelp(
            "A file for the report; may be repeated. Without --format its name's end sets the"
                + " format, and the text is printed all the same.", valueName: "file"))
    private var files: [String] = []

    package init() {}

    /// A format and its file; `nil` stands for standard output.
    package typealias Target = (format: Format, file: String?)

    /// Checks the arguments before any work is done. Throws if a file has no format, cannot be written, or is
    /// named twice, or if the document lacks the format. Existing files stay as they are.
    package func check(
        _ document: String = "the report", hasForms forms: [Format] = Array(Format.allCases)
    ) throws {
        var seen: Set<String> = []
        for file in files {
            if let obstacle = CommandFile.obstacle(file) {
                throw ValidationError("--output: \(obstacle)")
            }
            guard CommandFile.isSpecial(file) || seen.insert(CommandFile.resolved(file)).inserted
            else { throw ValidationError("--output: '\(file)' is there twice") }
        }
        for (format, file) in try targets() where !forms.contains(format) {
            throw ValidationError(
                "\(file.map { "'\($0)'" } ?? "--format"): \(document) has no form"
                    + " '\(format.rawValue)'; there is: " + Self.names(forms))
        }
    }

    /// Returns all requested formats in order, or text alone if none is requested.
    package func targets() throws -> [Target] {
        let formats = lists.flatMap(\.self)
        var targets: [Target] = []
        for (place, file) in files.enumerated() {
            let given = formats.indices.contains(place) ? formats[place] : nil
            targets.append((try given ?? Self.format(ofFile: file), file))
        }
        targets += formats.dropFirst(files.count).map { ($0, nil) }
        if formats.isEmpty, let text = Format(rawValue: "text") { targets.append((text, nil)) }
        return targets
    }

    /// Writes the report with all text made visible, and returns the problems. If a file cannot be
    /// written, prints its report instead, so that no result is lost.
    package func write(_ text: (Format) throws -> String) throws -> [String] {
        var problems: [String] = []
        for (format, file) in try targets() {
            let whole = try text(format)
            let text = format.isJSON ? whole.visibleJSON : whole.visibleLines
            guard let file else {
                try StandardStream.output.write(text)
                continue
            }
            do throws(CommandError) {
                try CommandFile.write(Array(text.utf8), file)
            } catch {
                problems.append("\(error.message); the report is printed instead")
                try StandardStream.output.write(text)
            }
        }
        return problems
    }
}

extension ReportArguments {
    private static func names(_ formats: [Format]) -> String {
        formats.map(\.rawValue).joined(separator: ", ")
    }

    private static func formats(_ list: String) throws -> [Format] {
        guard let words = WordList(argument: list)?.words else {
            throw ValidationError("there is no format in '\(list)'")
        }
        let names = Format.allCases.map(\.rawValue)
        return try words.map { word in
            if let format = Format(rawValue: word.lowercased()) { return format }
            throw ValidationError(
                "there is no format '\(word)'" + NearestName.suggestion(for: word, among: names)
                    + "; there is: " + names.joined(separator: ", "))
        }
    }

    private static func format(ofFile file: String) throws -> Format {
        let ending = URL(filePath: file).pathExtension.lowercased()
        if let format = Format.allCases.first(where: { $0.fileEndings.contains(ending) }) {
            return format
        }
        let endings = Format.allCases.compactMap { format in
            format.fileEndings.first.map { ".\($0) (\(format.rawValue))" }
        }
        throw ValidationError(
            "--output: '\(file)' does not tell the format; write --format, or end its name in "
                + endings.joined(separator: ", "))
    }
}
