import BrowserSessions
import Foundation

/// What a process does whose calls on the files of a store are written down: it opens the store, saves
/// numbered sets behind those that it finds, and ends.
struct RecordedLife: Codable, Hashable, Sendable {
    /// How many sets it saves.
    var sets: Int
    var stateBytes = 0
    /// The level of each set, by turns.
    var levels: [Durability]
    /// What it saves first, at `powerLoss`: nothing new, which makes durable what it found.
    var firstSave: FirstSave?
    /// Whether it closes the store at its end, or is killed.
    var closes = true
    /// What happens to it after the opening.
    var doom: Doom?
    /// What happens to it from its beginning.
    var earlyDoom: Doom?
    /// How often it closes the store after a failed save, opens it again, and goes on.
    var reopenings = 0
}

extension RecordedLife {
    enum FirstSave: String, Codable {
        case empty
        /// The last set that is there, with its commit id: its answer may have been lost.
        case repeated
    }

    /// Lives this life.
    fileprivate func live(at location: String, _ harness: any StorageHarness) async throws {
        earlyDoom?.begin()
        let sets = NumberedSets(stateBytes: stateBytes, wanders: true)
        let configuration = StorageConfiguration(location: location)
        var store = try await harness.open(configuration)
        var number = try await sets.lastApplied(in: store)
        SaveNote.opened(found: number).tell()
        if let firstSave {
            let changes =
                firstSave == .empty || number == 0 ? SessionChanges() : sets.changes(number)
            let receipt = try await store.save(changes, durability: .powerLoss)
            SaveNote.acknowledged(number, isDurable: receipt.durability >= .powerLoss).tell()
        }
        doom?.begin()
        var left = reopenings
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
            } catch {
                guard left > 0 else { Self.die() }
                left -= 1
                try? await store.close()
                // What was to happen may happen here.
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
            guard doom != nil else { throw error }
            Self.die()
        }
    }

    private static func die() -> Never {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }
}

extension Worker {
    static let power: [Worker] = [recordedLife, recordedOpening, manyTabs]

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
