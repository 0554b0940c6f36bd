import BrowserSessions
import LocalFiles
import StorageConformance
import StorageEngines
import Synchronization
import TestSupport
import Testing

@testable import SQLiteBackend

/// Syncs that fail where SQLite does not look.
@Suite("SQLite and forgotten bytes")
struct SQLiteForgottenTests {
    private let engine = SQLiteEngine()

    /// A directory in which the next sync may fail.
    private final class Failing: FileDirectoryDecorator {
        let base: any FileDirectory
        private let failures = Mutex(0)

        init(_ path: String) throws { base = try PosixDirectory(opening: path) }

        func failOnce() { failures.withLock { $0 = 1 } }

        func sync() throws(StorageError) {
            let fails = failures.withLock { count in
                defer { count = 0 }
                return count > 0
            }
            if fails { throw StorageError(.failed, "the sync failed") }
            try base.sync()
        }
    }

    @Test("No durable save is acknowledged before the name of the log is durable")
    func nameOfLog() throws {
        let scratch = try Scratch()
        try engine.open(scratch.path).close()
        let directory = try Failing(scratch.path)
        let store = try engine.open(OpenRequest(directory, wasClosed: true))
        try store.put([1], [1], durably: false)
        directory.failOnce()
        #expect(throws: StorageError.self) { try store.put([2], [2]) }
        for durably in [true, false] {
            let error = #expect(throws: StorageError.self) {
                try store.put([3], [3], durably: durably)
            }
            #expect(error?.code == .durabilityLost)
        }
        #expect(try store.keys(.metadata) == [[1]])
        try store.close()
        let again = try engine.open(OpenRequest(directory, wasClosed: false))
        #expect(try again.keys(.metadata) == [[1]])
        try again.put([2], [2])
        // Once is enough.
        directory.failOnce()
        try again.put([4], [4])
        try again.close()
    }
}
