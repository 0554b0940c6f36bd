import BrowserSessions
import StorageEngines

/// A folder with a store of numbered sets and its backup, which has the state after every other set.
private struct BackupPlace: Sendable {
    let folder: String

    var store: String { "\(folder)/store" }
    var backup: String { "\(folder)/backup" }
}

extension Worker {
    /// Saves a set, makes a backup while the store is open, and saves another one. So an acknowledged set
    /// with an even number says that the backup with the set before it was complete.
    static let recordedBackup = Worker(name: "power.backup") { order, harness in
        let place = BackupPlace(folder: order.location)
        let configuration = StorageConfiguration(location: place.store)
        let sets = NumberedSets(
            stateBytes: order.options["bytes"].flatMap { Int($0) } ?? 200, wanders: true)
        try RecordedProcess.begin(order)
        let store = try await harness.open(configuration)
        let number = try await sets.lastApplied(in: store)
        SaveNote.opened(found: number).tell()
        for next in number + 1...number + 2 {
            SaveNote.begun(next).tell()
            let receipt = try await store.save(sets.changes(next), durability: .powerLoss)
            SaveNote.acknowledged(next, isDurable: receipt.durability >= .powerLoss).tell()
            if next == number + 1 {
                _ = try await harness.backUp(configuration, to: place.backup)
            }
        }
        try await store.close()
        ConformanceChild.report("done")
    }
}

/// Judges a store and its backup after a kill or a power cut among the work of a process that makes it.
struct BackupJudge: Sendable {
    private let context: CaseContext
    private let sets: NumberedSets
    private let place: BackupPlace
    private let model: DiskModel

    init(context: CaseContext, sets: NumberedSets, folder: String, model: DiskModel) {
        (self.context, self.sets, self.model) = (context, sets, model)
        place = BackupPlace(folder: folder)
    }

    @Sendable func judge(_ progress: SaveProgress) async throws {
        try await judgeBackup(progress)
        let last: Int
        do {
            last = try await SetsJudge(sets: sets) { try await context.open(place.store) }
                .judge(progress)
        } catch let violation as Violation {
            // What such a disk costs the store itself is POWER-3.
            if model == .strict { return }
            throw violation
        }
        try await requireSuccess("the next backup") {
            try await context.backUp(place.store, to: place.backup)
        }
        // The judge of the store saves one set more.
        try requireEqual(try await setOfBackup(at: place.backup), last + 1, "the next backup")
        let names = try FileSystem.contents(of: place.folder).sorted()
        try requireEqual(names, ["backup", "store"], "what is there after the next backup")
    }

    /// Checks that the last backup that was complete is there, or a newer one; under the name that it has
    /// while the newer one gets its own, if the process was at that.
    private func judgeBackup(_ progress: SaveProgress) async throws {
        let certain = max(progress.certain, progress.acknowledged)
        let complete = certain / 2 * 2 - 1
        var found: [Int] = []
        for path in [place.backup, place.backup + ".replaced"] {
            guard let set = try await setOfBackup(at: path) else { continue }
            try require(
                !set.isMultiple(of: 2) && set <= progress.begun,
                "a backup shows set \(set), and none was made of that")
            found.append(set)
        }
        try require(
            complete < 1 || !found.isEmpty,
            "no whole backup is there, and one of set \(complete) was")
        if let newest = found.max(), newest < complete {
            throw Violation("a backup shows set \(newest), and one of set \(complete) was made")
        }
    }

    /// Returns the last set of a complete backup; `nil` if there is none.
    private func setOfBackup(at path: String) async throws -> Int? {
        guard try StoreBackup.found(at: path) != nil else { return nil }
        let reader = try await requireSuccess("a backup that says it is complete cannot be opened")
        {
            try await context.open(
                path,
                options: [
                    "access": .text(StorageAccess.readOnly.rawValue), "create": .bool(false),
                ])
        }
        let set = try await sets.lastApplied(in: reader)
        let report = try await reader.check()
        try require(report.isHealthy, "a backup reads as damaged: \(report.losses)")
        try await reader.close()
        return set
    }
}
