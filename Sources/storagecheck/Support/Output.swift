public import ArgumentParser
import Foundation
public import StorageConformance

/// Standard output for reports, standard error for everything else.
enum Output {
    static func result(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    static func message(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Tells of every case that is over.
    static func progress(_ progress: RunProgress) {
        let verdict =
            switch progress.result.verdict {
            case .passed: "passed"
            case .failed(let message): "FAILED: \(message)"
            case .notApplicable(let capability): "not applicable: \(capability.rawValue)"
            case .notTried(let reason): "not tried: \(reason)"
            case .errored(let message): "ERROR: \(message)"
            case .expectedFailure, .unexpectedPass: "known"
            }
        message(
            "[\(progress.done)/\(progress.total)] \(progress.label)"
                + " \(progress.result.testCase.id) \(verdict)")
    }
}

/// Where each format of a report goes.
struct ReportArguments: ParsableArguments {
    @Option(
        name: .customLong("format"), parsing: .singleValue,
        help: "text, markdown, json or junit; may be there several times, each for one --output.")
    var formats: [ReportFormat] = []

    @Option(
        name: .customLong("output"), parsing: .singleValue,
        help: "A file for the report of the --format at the same place; the rest is printed.")
    var files: [String] = []

    var chosen: [ReportFormat] { formats.isEmpty ? [.text] : formats }

    func validate() throws {
        guard files.count <= chosen.count else {
            throw ValidationError("there are more --output files than --format options")
        }
    }

    /// Writes what `text` makes of each format.
    func write(_ text: (ReportFormat) throws -> String?) throws {
        for (place, format) in chosen.enumerated() {
            guard let text = try text(format) else {
                throw ValidationError("there is no \(format.rawValue) form of it")
            }
            if files.indices.contains(place) {
                try text.write(toFile: files[place], atomically: true, encoding: .utf8)
            } else {
                Output.result(text)
            }
        }
    }
}

extension ReportFormat: ExpressibleByArgument {}
