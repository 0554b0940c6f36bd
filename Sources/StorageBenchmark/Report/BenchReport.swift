/// What one run of the benchmark measured: the document that `--format json` writes and
/// `storagebench compare` reads.
///
/// Schema 1. Readers pass over keys that they do not know, so that keys may be added; a change of
/// what a key means needs a new number.
public struct BenchReport: Codable, Hashable, Sendable {
    /// The version of the document.
    public var schema: Int
    public var environment: BenchEnvironment
    /// In the order in which tables show them.
    public var results: [BenchResult]
    /// Why the run ended early; `nil` if it measured everything that was asked for.
    public var incompleteBecause: String?

    public static let currentSchema = 1

    public init(
        environment: BenchEnvironment, results: [BenchResult], incompleteBecause: String? = nil
    ) {
        schema = Self.currentSchema
        self.environment = environment
        self.results = results
        self.incompleteBecause = incompleteBecause
    }
}

/// Where and how a run was made; figures of two environments cannot be compared.
public struct BenchEnvironment: Codable, Hashable, Sendable {
    /// The model of the processor, and how many there are.
    public var cpu: String
    public var kernel: String
    /// The type of the file system on which was measured, such as `ext4`.
    public var filesystem: String
    public var swift: String
    /// Versions of the libraries below the backends, such as `["sqlite": "3.40.1"]`.
    public var libraries: [String: String]
    /// The commit of the program; empty if it is not known.
    public var revision: String
    public var seed: UInt64
    /// The command line.
    public var command: String
    /// Which build of the program ran: how large its file is and when it was written. `nil` if that is not
    /// known.
    public var program: String?
    /// `release`, or `debug`: then times say little; `nil` in results of before this was noted.
    public var build: String?
    /// When the run began, as ISO 8601.
    public var date: String?
    /// Things that may have disturbed the figures, such as `page cache not dropped`.
    public var notes: [String]?

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
