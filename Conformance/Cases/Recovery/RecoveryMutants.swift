import BrowserSessions
import Foundation

extension Mutant {
    static let recovery: [Mutant] =
        [
            onDamage("traps-on-damage", "RECOVERY-1", "within the case") {
                _, _ throws(StorageError) in
                if ConformanceChild.isChild { abort() }
                throw StorageError(.corrupted, "damaged")
            },
            onDamage("calls-damage-a-failure", "RECOVERY-2", "threw .failed") {
                _, _ throws(StorageError) in
                throw StorageError(.failed, "something is wrong")
            },
            onDamage("resets-a-damaged-store", "RECOVERY-3", "nothing says so") {
                base, configuration throws(StorageError) in
                try base.closeBlocking()
                try FileSystem.remove(configuration.location)
                return try ReferenceEngine.open(configuration)
            },
            onDamage("swallows-losses", "RECOVERY-3", "nothing says so") { base, _ in
                SwallowsLosses(base: base)
            },
            onDamage("fills-gaps", "RECOVERY-4", "nobody saved") { base, _ in FillsGaps(base: base)
            },
            onDamage("gives-up-incognito", "RECOVERY-5", "is not as it was") {
                base, _ throws(StorageError) in
                try base.deleteIncognitoBlocking()
                return base
            },
            Mutant(
                "salvages-nothing", breaks: "RECOVERY-6", says: "it cost ",
                engine: FaultyEngine(salvagesNothing: true)),
            onDamage("throws-damaged-bytes-away", "RECOVERY-7", "no copy is named") {
                base, configuration throws(StorageError) in
                try FileSystem.remove("\(configuration.location)/quarantine")
                return NamesNoCopies(base: base)
            },
            onDamage("read-only-after-damage", "RECOVERY-8", "cannot be saved to") { base, _ in
                ReadOnly(base: base)
            },
            onDamage("stays-damaged", "RECOVERY-9", "not healthy after the repair") { base, _ in
                NeverRepairs(base: base)
            },
            Mutant("check-that-repairs", breaks: "RECOVERY-10", says: "by a check") {
                RepairsWhenChecked(base: $0)
            },
        ] + damageReports + blobDamages + refusals

    /// A store that behaves otherwise as soon as it has losses.
    static func onDamage(
        _ name: String, _ requirement: String, _ message: String,
        _ then:
            @escaping @Sendable (OrderedSessionStorage, StorageConfiguration) throws(StorageError)
            -> any SessionStorage
    ) -> Mutant {
        Mutant(name, breaks: requirement, says: message) { configuration throws(StorageError) in
            let base = try OrderedSessionStorage(
                opening: configuration, engine: ReferenceEngine())
            guard try base.recoverBlocking(.check).losses.isEmpty else {
                return try then(base, configuration)
            }
            return base
        }
    }
}

/// The reference engine with faults in opening and salvaging.
struct FaultyEngine: ByteStoreEngine {
    var salvagesNothing = false
    var wantsWholeBatches = false
    private let base = ReferenceEngine()

    init(salvagesNothing: Bool = false, wantsWholeBatches: Bool = false) {
        self.salvagesNothing = salvagesNothing
        self.wantsWholeBatches = wantsWholeBatches
    }

    var name: String { base.name }
    var formatVersion: Int { base.formatVersion }

    func open(_ directory: String) throws -> any OrderedByteStore {
        let path = ReferenceLog.file(in: directory)
        if wantsWholeBatches, try FileSystem.exists(path),
            ReferenceLog(bytes: try FileSystem.read(path)).unfinishedBytes > 0
        {
            throw StorageError(.corrupted, "the last batch is not whole")
        }
        return try base.open(directory)
    }

    func salvage(
        _ directory: String,
        _ emit: (KeySpace, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws -> [String] {
        salvagesNothing ? [] : try base.salvage(directory, emit)
    }
}

/// Says that everything is well.
private struct SwallowsLosses: StorageDecorator {
    let base: any SessionStorage

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        guard var session = try? await base.restore(id, generation: generation) else { return nil }
        session.losses = []
        session.provenance = .intact
        return session
    }

    func sessions() async throws(StorageError) -> [SessionID] {
        (try? await base.sessions()) ?? []
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        (try? await base.state(of: keys)) ?? [:]
    }

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        var report = try await base.recover(mode)
        report.losses = []
        return report
    }
}

/// Puts an empty tab in the place of each one that was lost.
private struct FillsGaps: StorageDecorator {
    let base: any SessionStorage

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        var session = try await base.restore(id, generation: generation)
        if let last = session?.tabs.last, session?.provenance == .salvaged {
            session?.tabs.append(TabMetadata(id: .random(), place: last.place, url: "about:blank"))
        }
        return session
    }
}

/// Keeps copies of damaged bytes to itself.
private struct NamesNoCopies: StorageDecorator {
    let base: any SessionStorage

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        var report = try await base.recover(mode)
        report.quarantined = []
        return report
    }
}

/// Refuses every change.
private struct ReadOnly: StorageDecorator {
    let base: any SessionStorage

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        throw StorageError(.corrupted, "the store has losses")
    }
}

/// Only checks, whatever it is asked for.
private struct NeverRepairs: StorageDecorator {
    let base: any SessionStorage

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        try await base.recover(.check)
    }
}

/// Repairs, whatever it is asked for.
private struct RepairsWhenChecked: StorageDecorator {
    let base: any SessionStorage

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        try await base.recover(.repair)
    }
}
