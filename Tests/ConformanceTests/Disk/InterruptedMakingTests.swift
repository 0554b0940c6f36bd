import BrowserSessions
import DirectoryBackend
import Expectations
import StorageConformance
import StorageEngines
import TestSupport

/// A store is new until it has its identity: what an opening wrote that failed, or was killed, is there for
/// the next one to read and need not be on the disk.
@Suite("A making of a store that was interrupted")
struct InterruptedMakingTests {
    private let session = SessionID(window: WindowID(high: 1, low: 1))

    private func open(_ disk: SimulatedFileSystem) throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: "/profile", options: ["create": .bool(true)]),
            engine: DirectoryEngine(), on: disk)
    }

    /// Lets an opening go wrong; the process ends with it. `false` if it had no operation of that number.
    private func interrupt(_ disk: SimulatedFileSystem, at number: Int, forEver: Bool) -> Bool {
        let before = disk.operations
        disk.fail(number, forEver: forEver)
        _ = try? open(disk)
        disk.heal()
        return disk.operations - before >= number
    }

    private static let remainders: [SimulatedFileSystem.Remainder] = [
        .nothing, .names, .contents, .sample(7), .everything,
    ]

    private func expectSound(
        _ disk: SimulatedFileSystem, _ rest: SimulatedFileSystem.Remainder, title: String?,
        _ comment: Comment
    ) throws {
        let store = try open(disk.afterPowerCut(keeping: rest))
        expect(try store.checkBlocking().losses == [], comment)
        expect(try store.restoreBlocking([session]).first?.attributes.title == title, comment)
        try store.closeBlocking()
    }

    @Test(
        "After a second opening, no power cut makes it look damaged",
        arguments: [SimulatedFileSystem.Model.ordered, .strict], [false, true])
    func second(model: SimulatedFileSystem.Model, forEver: Bool) throws {
        var number = 0
        var goesOn = true
        while goesOn {
            number += TestRun.isNightly ? 1 : 2
            let disk = SimulatedFileSystem(model)
            goesOn = interrupt(disk, at: number, forEver: forEver)
            let store = try open(disk)
            let rest = Self.remainders[number % Self.remainders.count]
            try expectSound(disk, rest, title: nil, "operation \(number), \(rest)")
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: "kept"), for: session)
            _ = try store.saveBlocking(changes, durability: .powerLoss)
            try expectSound(disk, rest, title: "kept", "operation \(number), saved, \(rest)")
        }
        expect(number > 40)
    }

    @Test(
        "After a second opening that is interrupted as well, no power cut makes it look damaged",
        arguments: [SimulatedFileSystem.Model.ordered, .strict])
    func third(model: SimulatedFileSystem.Model) throws {
        var (first, goesOn) = (0, true)
        while goesOn {
            first += TestRun.isNightly ? 1 : 7
            var (next, hasNext) = (first % 5, true)
            while hasNext {
                next += TestRun.isNightly ? 1 : 29
                let disk = SimulatedFileSystem(model)
                goesOn = interrupt(disk, at: first, forEver: false)
                hasNext = interrupt(disk, at: next, forEver: true)
                let rest = Self.remainders[(first + next) % Self.remainders.count]
                try expectSound(disk, rest, title: nil, "operations \(first) and \(next), \(rest)")
            }
        }
        expect(first > 40)
    }
}
