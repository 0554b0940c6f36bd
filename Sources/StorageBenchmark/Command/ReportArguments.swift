import ArgumentParser
import BackendSelection
import Foundation

/// Where each format of a report goes.
struct ReportArguments: ParsableArguments {
    @Option(
        name: .customLong("format"), parsing: .singleValue,
        help: ArgumentHelp(
            "\(BenchFormat.allCases.map(\.rawValue).joined(separator: ", ")); may be there several"
                + " times, each for the --output at the same place; the rest is printed.",
            valueName: "format"), transform: Self.format)
    var formats: [BenchFormat] = []

    @Option(
        name: .customLong("output"), parsing: .singleValue,
        help: ArgumentHelp(
            "A file for the report. Without --format its name's end tells the format, and the text"
                + " is printed all the same.", valueName: "file"))
    var files: [String] = []

    private static func format(_ name: String) throws -> BenchFormat {
        if let format = BenchFormat(rawValue: name) { return format }
        let names = BenchFormat.allCases.map(\.rawValue)
        throw ValidationError(
            "there is no format '\(name)'" + NearestName.suggestion(for: name, among: names)
                + "; there is: " + names.joined(separator: ", "))
    }

    /// Throws before anything is measured if a file has no format or cannot be written.
    func check() throws {
        for file in try targets().compactMap(\.file) {
            if let obstacle = CommandFile.obstacle(file) {
                throw ValidationError("--output: \(obstacle)")
            }
        }
    }

    /// Formats with their files; `nil` stands for the standard output.
    func targets() throws -> [(format: BenchFormat, file: String?)] {
        var targets: [(format: BenchFormat, file: String?)] = []
        for (place, file) in files.enumerated() {
            if formats.indices.contains(place) {
                targets.append((formats[place], file))
                continue
            }
            let ending = URL(filePath: file).pathExtension
            guard let format = BenchFormat(fileExtension: ending) else {
                throw ValidationError(
                    "--output: '\(file)' does not tell the format; write --format before it, or end"
                        + " its name in .txt, .md, .csv, .json or .html")
            }
            targets.append((format, file))
        }
        targets += formats.dropFirst(files.count).map { ($0, nil) }
        if formats.isEmpty { targets.append((.text, nil)) }
        return targets
    }

    /// Writes the report and returns what went wrong. What cannot be written to its file is printed,
    /// so that no result is lost.
    func write(_ report: BenchReport) throws -> [String] {
        var problems: [String] = []
        for (format, file) in try targets() {
            let text = try report.formatted(format)
            guard let file else {
                Console.result(text)
                continue
            }
            do throws(CommandError) {
                try CommandFile.write(Array(text.utf8), file)
            } catch {
                problems.append("\(error.message); the report is printed instead")
                Console.result(text)
            }
        }
        return problems
    }
}
