import CommandLineSupport
import Foundation

/// The measurements of one run: the document that `--format json` writes and `storagebench compare`
/// reads.
///
/// This is schema 1. Readers ignore unknown keys, so keys may be added. A change in the meaning of
/// a key needs a new number.
struct BenchReport: Codable, Equatable {
    /// The version that new reports have, and the only one that can be read.
    static let currentSchema = 1

    /// The version of the document.
    var schema = Self.currentSchema
    /// The environment and conditions, which hold for all results.
    var environment: BenchEnvironment
    /// The results, in the order of tables.
    var results: [BenchResult]
    /// Why the run ended early; `nil` if it measured everything that was requested.
    var incompleteBecause: String?
}

/// The environment and conditions of a run. Figures of two environments cannot be compared.
struct BenchEnvironment: Codable, Equatable {
    /// The model and number of the processors.
    var cpu: String
    /// The release of the kernel, such as `6.1.0-18-amd64`, or else the version of the system.
    var kernel: String
    /// The type of the measured file system, such as `ext4`.
    var filesystem: String
    /// The version of Swift with which the program was compiled, such as `6.3`.
    var swift: String
    /// The versions of the libraries under the backends, such as `["sqlite": "3.40.1"]`.
    var libraries: [String: String]
    /// The commit of the program; empty if unknown.
    var revision: String
    /// The seed of the sample sessions, the order of measurements, and the resampling.
    var seed: UInt64
    /// The command line.
    var command: String
    /// The build of the program: its file's size and when it was written; `nil` if unknown.
    var program: String?
    /// `release`, or `debug` with unreliable times.
    var build = "release"
    /// When the run began, as ISO 8601.
    var date: String?
    /// Possible disturbances of the figures, such as `page cache not dropped`.
    var notes: [String]?

    /// The names and versions of the libraries: `leveldb 1.23, sqlite 3.40.1`.
    var libraryNames: String {
        libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", ")
    }
}

extension BenchReport {
    private struct Version: Decodable { var schema: Int }

    /// Reads the output of `--format json`. Ignores unknown keys.
    init(json bytes: [UInt8]) throws(CommandError) {
        do {
            let schema = try JSONDecoder().decode(Version.self, from: Data(bytes)).schema
            guard schema == Self.currentSchema else {
                throw CommandError(
                    message: "its schema is \(schema), and this storagebench reads"
                        + " \(Self.currentSchema); use the storagebench that wrote it")
            }
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw error as? CommandError
                ?? CommandError(
                    message: "it is no whole report of 'storagebench --format json'; measure again")
        }
    }

    /// Reads the output of `--format json` from a file.
    init(file path: String) throws(CommandError) {
        let bytes = try CommandFile.read(path)
        do throws(CommandError) { try self.init(json: bytes) } catch {
            throw CommandError(message: "cannot use '\(path)': \(error)")
        }
    }

    /// Returns the report as a complete file of the format, with a newline at its end.
    ///
    /// Throws if a figure is not a number, which JSON cannot hold.
    func formatted(_ format: BenchFormat) throws -> String {
        switch format {
        case .text: return text
        case .markdown: return markdown
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}
