import BrowserSessions
import Foundation

/// The work of a process with recorded calls on the files of a store: it opens the store, saves
/// numbered sets after those that it finds, and ends.
struct RecordedLife: Codable, Hashable, Sendable {
    /// The number of sets that it saves.
    var sets: Int
    var stateBytes = 0
    /// After how many sets it takes a restore point; see ``NumberedSets/pointsEach``.
    var pointsEach: Int?
    /// The level of each set, in turn.
    var levels: [Durability]
    /// Its first save at `powerLoss`, which has no new content but makes durable what it found.
    var firstSave: FirstSave?
    /// Whether it closes the store at its end, or is killed.
    var closes = true
    /// The injected fault after the opening.
    var fault: InjectedFault?
    /// The injected fault from its beginning.
    var earlyFault: InjectedFault?
    /// How often it reopens the store after a failed opening or save, and continues.
    var reopenings = 0
    /// Whether the store's folder is made before the store is opened, and never synced.
    var hasFolder = false
    /// A closed store that is copied to the location before the store is opened, as from a backup: its
    /// names are not synced.
    var backup: String?
    /// Whether the files of the copy are synced.
    var syncsBackup = true
}

extension RecordedLife {
    enum FirstSave: String, Codable {
        case empty
        /// The last existing set with its commit id, as if its answer was lost.
        case repeated
    }

    /// Carries out this work.
    fileprivate func live(at location: String, _ harness: any StorageHarness) async throws {
        if hasFolder, mkdir(location, 0o700) != 0 {
            throw HarnessFault("the folder of the store cannot be made")
        }
        if let backup { try LocationFiles(backup).write(to: location, syncingFiles: syncsBackup) }
        earlyFault?.begin()
        let sets = NumberedSets(stateBytes: stateBytes, wanders: true, pointsEach: pointsEach)
        let configuration = StorageConfiguration(location: location)
        var left = reopenings
        var store = try await open(configuration, harness, &left)
        var number = try await sets.lastApplied(in: store)
        SaveNote.opened(found: number).tell()
        if let firstSave {
            let changes =
                firstSave == .empty || number == 0 ? SessionChanges() : sets.changes(number)
            let receipt = try await store.save(changes, durability: .powerLoss)
            SaveNote.acknowledged(number, isDurable: receipt.durability >= .powerLoss).tell()
        }
        fault?.begin()
        let last = number + self.sets
        while number < last {
            let next = number + 1
            let changes = sets.changes(next)
            SaveNote.begun(next).tell()
            do {
                let receipt = try await store.save(
                    changes, durability: levels[next % levels.count])
                SaveNote.acknowledged(next, isDurable: receipt.durability >= .powerLoss).tell()
                number = next
                try await sets.keepPoints(after: number, in: store)
            } catch {
                guard left > 0 else { Self.die() }
                left -= 1
                try? await store.close()
                // The injected fault may happen here.
                guard let next = try? await harness.open(configuration) else { Self.die() }
                store = next
                number = try await sets.lastApplied(in: store)
                SaveNote.opened(found: number).tell()
            }
        }
        // Before the store is released, which may close files in its own way.
        guard closes else { Self.die() }
        do {
            try await store.close()
        } catch {
            guard fault != nil else { throw error }
            Self.die()
        }
    }

    /// Opens the store; the injected fault from the beginning may happen here.
    private func open(
        _ configuration: StorageConfiguration, _ harness: any StorageHarness, _ left: inout Int
    ) async throws -> any SessionStorage {
        while true {
            do {
                return try await harness.open(configuration)
            } catch {
                guard earlyFault != nil else { throw error }
                guard left > 0 else { Self.die() }
                left -= 1
            }
        }
    }

    private static func die() -> Never {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }
}

extension Worker {
    static let power: [Worker] = [
        recordedLife, recordedOpening, recordedBackup, manyTabs,
    ]

    static let recordedLife = Worker(name: "power.life") { order, harness in
        guard let text = order.options["life"] else {
            throw HarnessFault("the order of power.life is not whole")
        }
        let life = try JSONDecoder().decode(RecordedLife.self, from: Data(text.utf8))
        try RecordedProcess.begin(order)
        try await life.live(at: order.location, harness)
        ConformanceChild.report("done")
    }
}
