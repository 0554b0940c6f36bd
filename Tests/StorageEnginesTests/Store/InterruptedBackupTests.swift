import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageEngines
import Synchronization
import TestSupport

@testable import StorageConformance

/// A backup, or its removal, fails, is killed, or loses its power after any operation.
@Suite("A backup that is interrupted")
struct InterruptedBackupTests {
    private static let models: [SimulatedFileSystem.Model] = [.ordered, .strict]
    private let engine = DirectoryEngine()
    private let store = StorageConfiguration(location: "/home/profile")
    private let path = "/backups/one"

    /// A store of one step, and perhaps its backup; then of two steps.
    private func filled(_ model: SimulatedFileSystem.Model, withBackup: Bool) throws
        -> SimulatedFileSystem
    {
        let disk = SimulatedFileSystem(model)
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        for path in ["/backups", temporary.isEmpty ? "/tmp" : temporary] {
            try disk.makeDirectories(path)
        }
        try save(1, on: disk)
        if withBackup { try backUp(disk) }
        try save(2, on: disk)
        return disk
    }

    private func save(_ step: Int, on disk: SimulatedFileSystem) throws {
        let open = try OrderedSessionStorage(opening: store, engine: engine, on: disk)
        _ = try open.saveBlocking(Sample.step(step), durability: .powerLoss)
        try open.closeBlocking()
    }

    @discardableResult
    private func backUp(_ disk: SimulatedFileSystem) throws -> StoreBackup {
        try OrderedSessionStorage.backUp(store, engine: engine, to: path, on: disk)
    }

    private func names(_ disk: SimulatedFileSystem) throws -> [String] {
        try disk.directory(at: "/backups").names()
    }

    /// The step of the whole backup at the path; `nil` if there is none. One that is found can be read.
    private func step(_ disk: SimulatedFileSystem, at path: String) throws -> Int? {
        guard try StoreBackup.found(at: path, on: disk) != nil else { return nil }
        let open = try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: path, options: ["access": "readOnly", "create": false]),
            engine: engine, on: disk)
        expect(try open.checkBlocking().isHealthy)
        let session = try open.restoreBlocking([Sample.window]).first
        try open.closeBlocking()
        return session.flatMap { Int($0.attributes.title) }
    }

    /// What a kill or a power cut leaves, with numbers. What an odd or an even number leaves once more is
    /// left out.
    private func remains(of disk: SimulatedFileSystem, samples: Int? = nil)
        -> [(Int, SimulatedFileSystem)]
    {
        let samples = (0..<UInt64(samples ?? TestRun.amount(1, nightly: 8))).map {
            SimulatedFileSystem.Remainder.sample($0)
        }
        let remainders = [.nothing, .everything, .names, .contents] + samples
        var seen: [Set<Int>] = [[], []]
        let all = [disk.afterKill()] + remainders.map { disk.afterPowerCut(keeping: $0) }
        return all.enumerated().map { ($0.offset, $0.element) }.filter { index, left in
            let digest = left.state.withLock { $0.disk.image(after: .kill).digest }
            return seen[index % 2].insert(digest).inserted
        }
    }

    /// Lets work fail from an operation on; returns whether it had one with that number.
    private func interrupt(
        _ disk: SimulatedFileSystem, at number: Int, _ work: () throws -> Void
    ) -> (goesOn: Bool, isDone: Bool) {
        let before = disk.operations
        disk.fail(number, forEver: true)
        var isDone = false
        do {
            try work()
            isDone = true
        } catch {}
        disk.heal()
        return (disk.operations - before >= number, isDone)
    }

    @Test(
        "Two interruptions in a row cost no whole backup", arguments: models)
    func twice(model: SimulatedFileSystem.Model) throws {
        var (first, goesOn) = (0, true)
        let filled = try filled(model, withBackup: true)
        while goesOn {
            first += TestRun.isNightly ? 3 : 29
            let disk = filled.copied()
            goesOn = interrupt(disk, at: first) { try backUp(disk) }.goesOn
            var (next, hasNext) = (first % 7, true)
            while hasNext {
                next += TestRun.isNightly ? 5 : 67
                let left = disk.afterKill()
                hasNext =
                    interrupt(left, at: next) {
                        if next % 2 == 0 {
                            try StoreBackup.removeUnfinished(in: "/backups", on: left)
                        }
                        try backUp(left)
                    }.goesOn
                for (index, last) in remains(of: left) {
                    let comment: Comment = "operations \(first) and \(next), remainder \(index)"
                    let steps = try ["", ".replaced"].map { try step(last, at: path + $0) }
                    expect(steps != [nil, nil], comment)
                    try backUp(last)
                    expect(try names(last) == ["one"], comment)
                }
            }
        }
        expect(first > 60)
    }

    @Test("What was complete and never got its name gives way to another", arguments: models)
    func complete(model: SimulatedFileSystem.Model) throws {
        var number = 60
        func isComplete(_ disk: SimulatedFileSystem) throws -> Bool {
            guard try names(disk).contains("one.unfinished") else { return false }
            return try disk.directory(at: path + ".unfinished").has("backup.json")
        }
        let filled = try filled(model, withBackup: true)
        var disk = filled
        while try !isComplete(disk) {
            number += 1
            disk = filled.copied()
            try require(interrupt(disk, at: number) { try backUp(disk) }.goesOn)
        }
        for next in 1...140 {
            let left = disk.afterKill()
            _ = interrupt(left, at: next) { try backUp(left) }
            for (index, last) in remains(of: left, samples: 8) {
                let comment: Comment = "operation \(next), remainder \(index)"
                expect(throws: Never.self, comment) { try backUp(last) }
                expect(try names(last) == ["one"], comment)
            }
        }
    }

    @Test("A removal leaves the whole backup, or none", arguments: models)
    func removing(model: SimulatedFileSystem.Model) throws {
        var (number, goesOn) = (0, true)
        let filled = try filled(model, withBackup: true)
        while goesOn {
            number += 1
            let disk = filled.copied()
            let end = interrupt(disk, at: number) { try StoreBackup.remove(at: path, on: disk) }
            goesOn = end.goesOn
            for (index, left) in remains(of: disk) {
                let comment: Comment = "operation \(number), remainder \(index)"
                let found = try step(left, at: path)
                expect(found == 1 || found == nil, comment)
                expect(!end.isDone || found == nil, comment)
                // Nothing is left that looks like a backup with damage, and what is left goes.
                expect(try StoreBackup.damage(at: path, on: left) == nil, comment)
                try StoreBackup.removeUnfinished(in: "/backups", on: left)
                if found == nil, try left.status(of: path) != nil {
                    expect(try left.directory(at: path).names() == [], comment)
                }
                try backUp(left)
                expect(try step(left, at: path) == 2, comment)
            }
        }
        expect(number > 15)
    }
}
