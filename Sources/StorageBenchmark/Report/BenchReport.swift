/// The measurements of one run: the document that `--format json` writes and `storagebench compare`
/// reads.
///
/// This is schema 1. Readers ignore unknown keys, so keys may be added. A change in the meaning of
/// a key needs a new number.
public struct BenchReport: Codable, Hashable, Sendable {
    /// The version of the document.
    public var schema: Int
    /// The environment and conditions, which hold for all results.
    public var environment: BenchEnvironment
    /// The results, in the order of tables.
    public var results: [BenchResult]
    /// Why the run ended early; `nil` if it measured everything that was requested.
    public var incompleteBecause: String?

    /// The version that new reports have, and the newest that can be read.
    public static let currentSchema = 1

    /// Creates a report with the current schema, by default of a complete run.
    public init(
        environment: BenchEnvironment, results: [BenchResult], incompleteBecause: String? = nil
    ) {
        schema = Self.currentSchema
        self.environment = environment
        self.results = results
        self.incompleteBecause = incompleteBecause
    }
}

/// The environment and conditions of a run. Figures of two environments cannot be compared.
public struct BenchEnvironment: Codable, Hashable, Sendable {
    /// The model and number of the processors.
    public var cpu: String
    /// The release of the kernel, such as `6.1.0-18-amd64`, or else the version of the system.
    public var kernel: String
    /// The type of the measured file system, such as `ext4`.
    public var filesystem: String
    /// The version of Swift with which the program was compiled, such as `6.3`.
    public var swift: String
    /// The versions of the libraries under the backends, such as `["sqlite": "3.40.1"]`.
    public var libraries: [String: String]
    /// The commit of the program; empty if unknown.
    public var revision: String
    /// The seed of the sample sessions, the order of measurements, and the resampling.
    public var seed: UInt64
    /// The command line.
    public var command: String
    /// The build of the program: its file's size and when it was written; `nil` if unknown.
    public var program: String?
    /// `release`, or `debug` with unreliable times; `nil` in results from before it was recorded.
    public var build: String?
    /// When the run began, as ISO 8601.
    public var date: String?
    /// Possible disturbances of the figures, such as `page cache not dropped`.
    public var notes: [String]?

    /// Creates an environment. By default, everything that older results lack is unknown.
    public init(
        cpu: String, kernel: String, filesystem: String, swift: String,
        libraries: [String: String], revision: String, seed: UInt64, command: String,
        program: String? = nil, build: String? = nil, date: String? = nil, notes: [String]? = nil
    ) {
        self.cpu = cpu
        self.kernel = kernel
        self.filesystem = filesystem
        self.swift = swift
        self.libraries = libraries
        self.revision = revision
        self.seed = seed
        self.command = command
        self.program = program
        self.build = build
        self.date = date
        self.notes = notes
    }
}
