import BrowserSessions
import ChildProcesses

/// Checks everything that a process writes while it has incognito sessions.
enum IncognitoTrace {
    @Sendable static func writes(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let process = try await RecordedProcess(Worker.incognitoUser, of: context, at: location)
        guard process.end == .exited(0), process.lines.last == "done" else {
            throw Violation(
                "the process \(process.end): \(process.lines.last ?? process.lastWords)")
        }
        var disk = SimulatedDisk(.ordered)
        for action in process.trace.actions { disk.apply(action) }
        try disk.requireToBeWhatLies(at: location)
        let canary = try ContentCanary(seed: context.seed, isIncognito: true)
        var count = 0
        for action in process.trace.actions {
            switch action {
            case .write(_, let offset, let bytes):
                count += 1
                try require(
                    !canary.isFound(in: Array(bytes)),
                    "write \(count), of \(bytes.count) bytes at \(offset), has something in clear")
            case .create(let path, _), .makeDirectory(let path, _), .rename(_, let path, _),
                .link(_, let path, _):
                try require(
                    !canary.isFound(in: Array(path.utf8)), "the name of a file is in clear")
            default: break
            }
        }
        try require(count > 0, "nothing was written that can be followed")
        context.note("\(count) writes have nothing in clear")
    }

    /// Cuts the power within the life of the same process.
    @Sendable static func cuts(_ context: CaseContext) async throws {
        let canary = try ContentCanary(seed: context.seed, isIncognito: true)
        for model in DiskModel.allCases {
            var lab = try await PowerLab(context, model)
            guard let recording = try await lab.record(Worker.incognitoUser) else {
                return try lab.conclude()
            }
            let location = lab.location
            try await lab.cut(recording, most: context.amount(15, full: 300, long: 1500)) {
                try await judge(canary, try await open(context, location), $0, model)
            }
            try lab.conclude()
        }
    }

    private static func open(_ context: CaseContext, _ location: String) async throws
        -> any SessionStorage
    {
        do {
            return try await context.open(location)
        } catch {
            throw Violation("the store cannot be opened: \(error)")
        }
    }

    /// Judges the store. Set 1 is the regular one, set 2 the deletion. What else survives on a disk
    /// that keeps names in no order is a matter of POWER-3.
    private static func judge(
        _ canary: ContentCanary, _ store: any SessionStorage, _ progress: SaveProgress,
        _ model: DiskModel
    ) async throws {
        do {
            if progress.certain > 1 {
                // Unreadable content counts as absent; the ordered disk has its own checks below.
                let found = (try? await store.sessions()) ?? []
                let session = try? await store.restore(canary.session)
                try require(
                    session == nil && !found.contains { $0.partition == .incognito },
                    "an incognito session is there after the deletion")
            }
            guard model == .ordered else { return try await store.close() }
            let last = try await NumberedSets().lastApplied(in: store)
            try require(
                last == 1 || progress.certain < 1,
                "the regular session is gone that was saved before")
            let report = try await store.check()
            // Sessions without a key may be reported as unreadable.
            try require(
                report.losses.allSatisfy { $0.kind == .unfinishedWrite },
                "an ordinary cut reads as damage: \(report.losses)")
            try await store.close()
        } catch {
            try? await store.close()
            throw error as? Violation ?? Violation("\(error)")
        }
    }
}

extension Worker {
    /// Saves, changes and deletes incognito sessions beside regular ones.
    static let incognitoUser = Worker(name: "incognito.user") { order, harness in
        try RecordedProcess.begin(order)
        let canary = try ContentCanary(seed: order.seed, isIncognito: true)
        let store = try await harness.open(StorageConfiguration(location: order.location))
        SaveNote.begun(1).tell()
        let receipt = try await store.save(NumberedSets().changes(1), durability: .powerLoss)
        SaveNote.acknowledged(1, isDurable: receipt.durability >= .powerLoss).tell()
        try await canary.use(store)
        _ = try await store.restore(canary.session)
        try await store.deleteIncognito()
        SaveNote.acknowledged(2, isDurable: true).tell()
        try await store.close()
        ConformanceChild.report("done")
    }
}
