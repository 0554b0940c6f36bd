import BackendSelection
import BrowserSessions
import Expectations
import Foundation
import Synchronization
import TestSupport

/// Backends that open nothing and remember how they were opened.
struct Fakes {
    let recorder = Recorder()

    /// What the backends were opened with.
    final class Recorder: Sendable {
        private let storage = Mutex<[StorageConfiguration]>([])
        var configurations: [StorageConfiguration] { storage.withLock { $0 } }
        func record(_ configuration: StorageConfiguration) {
            storage.withLock { $0.append(configuration) }
        }
    }

    static let sqliteOptions = [
        StorageOption(
            "pageCacheKiB", kind: .integer(0...1 << 30), default: .integer(2048), summary: "memory"),
        StorageOption(
            "journal", kind: .choice(["wal", "delete"]), default: .text("wal"), summary: "journal"),
        StorageOption(
            "passphrase", kind: .text, default: .text(""), isSecret: true, summary: "encryption"),
        StorageOption(
            "pin", kind: .integer(0...9), default: .integer(0), isSecret: true, summary: "pin"),
        StorageOption("label", kind: .text, default: .text("none"), summary: "a name"),
    ]
    static let levelOptions = [
        StorageOption("compression", kind: .bool, default: .bool(true), summary: "smaller files"),
        StorageOption(
            "pageCacheKiB", kind: .integer(0...64), default: .integer(8), summary: "memory"),
        StorageOption(
            "blockSize", kind: .integer(1...1 << 20), default: .integer(1), summary: "block"),
    ]

    func backend(_ name: String, _ options: [StorageOption] = []) -> StorageBackend {
        StorageBackend(name: name, summary: "fake", options: options) {
            [recorder] configuration throws(StorageError) in
            recorder.record(configuration)
            throw StorageError(.failed, "'\(name)' opens nothing here")
        }
    }

    func registry() throws -> BackendRegistry {
        try BackendRegistry([
            backend("sqlite", Self.sqliteOptions), backend("leveldb", Self.levelOptions),
            backend("directory"), backend("memory"),
        ])
    }

    func resolve(_ layers: SelectionLayer...) throws -> ResolvedSelection {
        try BackendSelector(registry: try registry(), layers: layers).resolve()
    }

    /// Resolves what a tool was given, in the directory `/base` and with the home `/home/me`.
    func resolve(
        storage: String? = nil, file: String? = nil, options: [String] = [],
        environment: [String: String] = [:]
    ) throws -> ResolvedSelection {
        let request = SelectionRequest(
            storage: storage, configurationFile: file, options: options,
            environment: environment.merging(["HOME": "/home/me"]) { given, _ in given },
            workingDirectory: "/base")
        return try request.resolve(registry: try registry())
    }
}

/// The error of a selection that must be refused.
func refusal<Answer>(
    code: StorageError.Code = .invalidConfiguration, file: String = #fileID, line: Int = #line,
    _ body: () throws -> Answer
) throws -> String {
    let thrown = expect(throws: StorageError.self, file: file, line: line) { try body() }
    let error = try require(thrown, file: file, line: line)
    expect(error.code, is: code, file: file, line: line)
    expect(error.effect, is: .notApplied, file: file, line: line)
    return error.description
}

extension TemporaryFolder {
    /// Writes a file and returns its path.
    func write(_ name: String, _ text: String) throws -> String { try write(text.utf8, to: name) }
}
