#if FaultyBackends
    import BrowserSessions
    import LocalFiles
    import Synchronization

    /// Has one loss in its report, whatever was lost.
    struct TellsOneLoss: StorageDecorator {
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
            report.losses = [
                Loss(.tab, session: session, tab: TabID(high: 1, low: 1), detail: "one")
            ]
            return report
        }
    }

    /// Gives back the generation before, and says that some attributes were lost.
    struct GoesBack: StorageDecorator {
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
    struct NamesIncognito: StorageDecorator {
        let base: any SessionStorage
        let location: String

        func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
            var report = try await base.recover(mode)
            report.quarantined.append("\(location)/incognito")
            return report
        }
    }

    /// Has each title in a file of its own, and believes what it reads there.
    struct TitlesInFiles: StorageDecorator {
        let base: any SessionStorage
        let folder: String

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let receipt = try await base.save(changes, durability: durability)
            for case .putTab(let tab, let session) in changes.changes where session.side == .regular
            {
                try FileSystem.makeDirectories(folder)
                try FileSystem.replace("\(folder)/\(tab.id)", with: Array(tab.title.utf8))
            }
            return receipt
        }

        func restore(_ id: SessionID, generation: SessionGeneration) async throws(StorageError)
            -> RestoredSession?
        {
            guard var session = try await base.restore(id, generation: generation) else {
                return nil
            }
            for index in session.tabs.indices {
                let file = "\(folder)/\(session.tabs[index].id)"
                guard try FileSystem.exists(file) else { continue }
                session.tabs[index].title = String(
                    decoding: try FileSystem.read(file), as: UTF8.self)
            }
            return session
        }
    }
#endif
