import BrowserSessions
import DirectoryBackend
import Expectations
import StorageConformance
import StorageEngines
import TestSupport

/// A removal ends, and its power is cut, anywhere.
@Suite("A removal that is cut off")
struct RemovalCutTests {
    private let window = SessionID(window: WindowID(high: 1, low: 1))
    private let incognito = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)
    private let engine = DirectoryEngine()

    private func place(create: Bool) -> StorageConfiguration {
        StorageConfiguration(location: "/home/profile", options: ["create": .bool(create)])
    }

    private func filled(_ model: SimulatedFileSystem.Model) throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem(model)
        let store = try OrderedSessionStorage(
            opening: place(create: true), engine: engine, on: disk)
        for id in [window, incognito] {
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: "Window"), for: id)
            _ = try store.saveBlocking(changes, durability: .powerLoss)
        }
        try store.closeBlocking()
        return disk
    }

    /// Whether the whole store is there; if not, there must be none, and a new one can be made.
    private func isWhole(_ disk: SimulatedFileSystem) throws -> Bool {
        do {
            let store = try OrderedSessionStorage(
                opening: place(create: false), engine: engine, on: disk)
            expect(try Set(store.sessionsBlocking()) == [window, incognito])
            expect(try store.checkBlocking().isHealthy)
            try store.closeBlocking()
            return true
        } catch {
            expect(error.code, is: .notFound, "\(error)")
            let store = try OrderedSessionStorage(
                opening: place(create: true), engine: engine, on: disk)
            expect(try store.sessionsBlocking() == [])
            let report = try store.checkBlocking()
            expect(report.isHealthy && report.quarantined == [])
            try store.closeBlocking()
            return false
        }
    }

    /// Whether nothing is there, or a folder at most that could not go.
    private func isEmpty(_ disk: SimulatedFileSystem) throws -> Bool {
        guard try disk.status(of: "/home/profile") != nil else { return true }
        return try disk.directory(at: "/home/profile").names().isEmpty
    }

    @Test("a failure that passes leaves a whole store, or one that is removed again")
    func failures() throws {
        for number in 1...200 {
            let disk = try filled(.strict)
            let before = disk.operations
            disk.fail(number, with: [.outOfSpace, .permissionDenied, .failed][number % 3])
            var first = StorageError.Effect.notApplied
            var failure: StorageError?
            do throws(StorageError) {
                _ = try OrderedSessionStorage.remove(
                    place(create: true), engine: engine, on: disk)
                first = .applied
            } catch { (first, failure) = (error.effect, error) }
            let hasFailed = disk.operations >= before + number
            disk.heal()
            let wasThere = try OrderedSessionStorage.remove(
                place(create: true), engine: engine, on: disk)
            // What was not removed is still there, and what was cannot be removed twice.
            if first == .notApplied { expect(wasThere, "\(number)") }
            if failure == nil { expect(!wasThere, "\(number)") }
            expect(try isEmpty(disk), "\(number): \(failure as Any)")
            expect(try !isWhole(disk))
            if !hasFailed { break }
        }
    }
}
