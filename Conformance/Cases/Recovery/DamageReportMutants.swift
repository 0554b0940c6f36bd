import BrowserSessions
import Synchronization

extension Mutant {
    /// What is wrong in one thing only, or said of one thing only.
    static let damageReports: [Mutant] = [
        onDamage("one-loss-for-all", "RECOVERY-3", "nothing says so of it") {
            base, _ throws(StorageError) in
            TellsOneLoss(base: base, session: try base.sessionsBlocking().first)
        },
        Mutant(
            "keeps-titles-without-checksums", breaks: "RECOVERY-4",
            says: "a tab came back that nobody saved",
            opening: { configuration throws(StorageError) in
                TitlesInFiles(
                    base: try ReferenceEngine.open(configuration),
                    folder: "\(configuration.location)/titles")
            }),
        Mutant(
            "keeps-other-bytes", breaks: "RECOVERY-7", says: "are not in what was kept",
            opening: { configuration throws(StorageError) in
                let store = try ReferenceEngine.open(configuration)
                let folder = "\(configuration.location)/quarantine"
                guard try FileSystem.exists(folder) else { return store }
                for item in try FileSystem.contents(of: folder) {
                    try FileSystem.remove("\(folder)/\(item)")
                    try FileSystem.makeDirectories("\(folder)/\(item)")
                }
                return store
            }),
        onDamage("keeps-incognito-bytes", "RECOVERY-7", "of the incognito side was kept") {
            base, configuration in
            NamesIncognito(base: base, location: configuration.location)
        },
        onDamage("answers-with-older-states", "RECOVERY-17", "is an older one, and nothing") {
            base, _ throws(StorageError) in
            let lost = try base.recoverBlocking(.check).losses
            let session = lost.first { $0.tab != nil && $0.session?.side == .regular }?.session
            return session.map { GoesBack(base: base, session: $0) } ?? base
        },
    ]
}

/// Has one loss in its report, whatever was lost.
private struct TellsOneLoss: StorageDecorator {
    let base: any SessionStorage
    let session: SessionID?

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        var session = try await base.restore(id, generation: generation)
        session?.losses = []
        return session
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        (try? await base.state(of: keys)) ?? [:]
    }

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        var report = try await base.recover(mode)
        report.losses = [Loss(.tab, session: session, tab: TabID(high: 1, low: 1), detail: "one")]
        return report
    }
}

/// Gives back the generation before, and says that some attributes were lost.
private struct GoesBack: StorageDecorator {
    let base: any SessionStorage
    let session: SessionID

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        guard var session = try await base.restore(id, generation: .previous) else {
            return try await base.restore(id, generation: generation)
        }
        session.provenance = .salvaged
        session.losses = []
        return session
    }

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        var report = try await base.recover(mode)
        report.losses = [Loss(.attributes, session: session, detail: "the attributes")]
        return report
    }
}

/// Names the files of the incognito side as what was kept.
private struct NamesIncognito: StorageDecorator {
    let base: any SessionStorage
    let location: String

    func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
        var report = try await base.recover(mode)
        report.quarantined.append("\(location)/incognito")
        return report
    }
}

/// Has each title in a file of its own, and believes what it reads there.
private struct TitlesInFiles: StorageDecorator {
    let base: any SessionStorage
    let folder: String

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        let receipt = try await base.save(changes, durability: durability)
        for case .putTab(let tab, let session) in changes.changes where session.side == .regular {
            try FileSystem.makeDirectories(folder)
            try FileSystem.replace("\(folder)/\(tab.id)", with: Array(tab.title.utf8))
        }
        return receipt
    }

    func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
        -> RestoredSession?
    {
        guard var session = try await base.restore(id, generation: generation) else { return nil }
        for index in session.tabs.indices {
            let file = "\(folder)/\(session.tabs[index].id)"
            guard try FileSystem.exists(file) else { continue }
            session.tabs[index].title = String(decoding: try FileSystem.read(file), as: UTF8.self)
        }
        return session
    }
}
