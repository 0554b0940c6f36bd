import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import LevelDBBackend
import SessionSamples
import StorageEngines
import Synchronization
import TestSupport

@testable import SQLiteBackend

/// Copies of the files of an engine while their owner does anything between any two operations.
struct LiveCopyTests {
    /// An engine, with what makes its files change often.
    struct Kind: CustomTestStringConvertible {
        var testDescription: String
        var engine: any FileEngine

        static var all: [Kind] {
            var directory = DirectoryEngine()
            directory.settings.segmentBytes = 64 << 10
            // Its log is copied into the database whether readers are there or not.
            var impatient = SQLiteEngine()
            impatient.mostFramesBesideReaders = 0
            return [
                Kind(testDescription: "directory", engine: directory),
                Kind(testDescription: "sqlite", engine: SQLiteEngine()),
                Kind(testDescription: "impatient sqlite", engine: impatient),
                Kind(testDescription: "leveldb", engine: LevelDBEngine()),
            ]
        }
    }

    /// How many histories are tried: few each time, and many at night.
    static let seeds = TestRun.seeds("LIVE_SEEDS", 6, nightly: 300)

    @Test(
        "Any copy is a state that was written, and at least the last durable one",
        arguments: Kind.all)
    func anyMoment(kind: Kind) throws {
        var newer = 0
        for seed in Self.seeds {
            do {
                newer += try tryHistory(seed, kind)
            } catch {
                recordIssue("seed \(seed): \(error)")
            }
        }
        // Else nothing happened in the middle.
        expect(newer > 0)
    }

    @Test("Everything changes and moves at any one step of a copy", arguments: Kind.all)
    func anyStep(kind: Kind) throws {
        let folder = TemporaryFolder()
        let writer = try SteppedWriter(kind.engine, in: folder, seed: 1)
        try writer.burst()
        let stride = TestRun.amount(4, nightly: 1)
        var step = 1
        // waits: for no more turns than a copy has operations
        while true {
            let durable = writer.durable
            let path = folder.file("copy")
            let (records, steps) = try writer.copy(with: kind.engine, to: path, burstingAt: step)
            let found = LiveWriter.number(of: records)
            expect(found >= durable, "step \(step): the copy lacks what was durable")
            expect(writer.holds(records, at: found), "step \(step): the copy is of no state")
            if steps < step { break }
            step += stride
        }
        try writer.close()
    }

    /// Returns how many copies have more than what was durable when they were begun.
    private func tryHistory(_ seed: UInt64, _ kind: Kind) throws -> Int {
        var newer = 0
        let folder = TemporaryFolder()
        let writer = try SteppedWriter(kind.engine, in: folder, seed: seed)
        try writer.act(times: Int(seed % 40))
        for number in 0..<8 {
            let durable = writer.durable
            let path = folder.file("copy \(number)")
            let records = try writer.copy(with: kind.engine, to: path)
            let found = LiveWriter.number(of: records)
            if found > durable { newer += 1 }
            expect(found >= durable, "seed \(seed): the copy lacks what was durable")
            expect(
                writer.holds(records, at: found),
                "seed \(seed): copy \(number) is of no state, but says it is \(found)")
            try FileSystem.remove(path)
            try writer.act(times: 3)
        }
        try writer.close()
        return newer
    }
}

/// A writer that acts between the operations of copies.
private final class SteppedWriter: Sendable {
    private struct State {
        var writer: LiveWriter
        var generator: SeededGenerator
        /// How many acts the present copy may still see.
        var left = 0
        /// The step at which a burst comes, counted over all attempts to copy.
        var burst: Int?
        var steps = 0
        var failure: (any Error)?
    }

    private let state: Mutex<State>
    private let directory: any FileDirectory

    init(_ engine: any FileEngine, in folder: TemporaryFolder, seed: UInt64) throws {
        let writer = try LiveWriter(engine, in: folder, seed: seed)
        directory = writer.directory
        state = Mutex(State(writer: writer, generator: SeededGenerator(seed: ~seed)))
    }

    var durable: Int { state.withLock { $0.writer.durable } }

    func act(times: Int) throws {
        try state.withLock { state in for _ in 0..<times { try state.writer.act() } }
    }

    func holds(_ records: LiveWriter.Records, at number: Int) -> Bool {
        state.withLock { state in
            let states = state.writer.states
            return states.indices.contains(number) && states[number] == records
        }
    }

    func close() throws { try state.withLock { try $0.writer.close() } }

    func burst() throws { try state.withLock { try $0.writer.burst() } }

    private func step() {
        state.withLock { state in
            state.steps += 1
            if state.steps == state.burst {
                do { try state.writer.burst() } catch { state.failure = error }
            }
            guard state.left > 0, state.generator.integer(in: 0...7) == 0 else { return }
            state.left -= 1
            do { try state.writer.act() } catch { state.failure = state.failure ?? error }
        }
    }

    /// Copies beside random acts.
    func copy(with engine: any FileEngine, to path: String) throws -> LiveWriter.Records {
        // Fewer than a reader tries, so that one copy is made in peace.
        state.withLock { $0.left = $0.generator.integer(in: 0...12) }
        return try copies(with: engine, to: path)
    }

    /// Copies beside a burst at one step; returns also the number of steps.
    func copy(with engine: any FileEngine, to path: String, burstingAt step: Int) throws
        -> (LiveWriter.Records, steps: Int)
    {
        state.withLock { ($0.left, $0.burst, $0.steps) = (0, step, 0) }
        return (try copies(with: engine, to: path), state.withLock { $0.steps })
    }

    /// Copies until a copy can be opened, as a reader does, and returns what it holds.
    private func copies(with engine: any FileEngine, to path: String) throws -> LiveWriter.Records {
        for _ in 0..<16 {
            do {
                return try copyOnce(with: engine, to: path)
            } catch let error as StorageError
                where [.unavailable, .notFound, .corrupted].contains(error.code)
            {
                continue
            }
        }
        throw StorageError(.unavailable, "no copy could be opened")
    }

    private func copyOnce(with engine: any FileEngine, to path: String) throws
        -> LiveWriter.Records
    {
        try FileSystem.remove(path)
        try FileSystem.makeDirectory(path)
        let target = try PosixDirectory(opening: path)
        let steps = Steps { _ in self.step() }
        try engine.copyLive(
            SteppedDirectory(directory, steps),
            to: LiveStoreCopy(in: SteppedDirectory(target, steps)))
        if let failure = state.withLock({ $0.failure }) {
            throw StorageError(.failed, "the writer failed: \(failure)")
        }
        let store = try engine.open(OpenRequest(target, wasClosed: false))
        defer { try? store.close() }
        return try LiveWriter.records(of: store)
    }
}
