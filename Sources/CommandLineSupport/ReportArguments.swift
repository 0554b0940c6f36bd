import ArgumentParser
import BackendSelection
import Foundation

/// A form in which a tool writes its report.
package protocol ReportFileFormat: CaseIterable, Equatable, RawRepresentable, Sendable
where RawValue == String {
    /// How the names of its files end, the usual one first: `md`.
    var fileEndings: [String] { get }

    /// Whether its text is JSON, which means the same when characters are escaped.
    var isJSON: Bool { get }
}

/// Where each format of a report goes.
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
            "A file for the report; may be repeated. Without --format its name's end tells the"
                + " format, and the text is printed all the same.", valueName: "file"))
    private var files: [String] = []

    package init() {}

    /// A format with its file; `nil` stands for the standard output.
    package typealias Target = (format: Format, file: String?)

    /// Throws before any work is done if a file has no format, cannot be written or is there twice,
    /// or if the document has no such form. Files that are there stay as they are.
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

    /// All formats that are asked for, in order; the text alone if nothing is.
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

    /// Writes the report, in which text of any origin becomes visible, and returns what went wrong. What
    /// cannot be written to its file is printed, so that no result is lost.
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
