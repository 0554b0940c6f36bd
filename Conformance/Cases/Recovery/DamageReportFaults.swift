#if FaultyBackends
    import BrowserSessions
    import LocalFiles

    /// Reports exactly one loss, whatever was lost.
    struct TellsOneLoss: FalseReporter {
        let base: any SessionStorage
        let session: SessionID?

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            try await restoreEach(ids, version) { $0.losses = [] }
        }

        func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey: [UInt8]]
        {
            (try? await base.states(of: keys, at: version)) ?? [:]
        }

        func alter(_ report: inout RecoveryReport) async {
            report.losses = [
                Loss(.tab, session: session, tab: TabID(high: 1, low: 1), detail: "one")
            ]
        }
    }

    /// Returns the sessions of the newest restore point, and reports that some attributes were lost.
    struct GoesBack: FalseReporter {
        let base: any SessionStorage
        let session: SessionID

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            try await restoreEach(ids, version) { session throws(StorageError) in
                guard let old = try await base.restoreEarlier(session.id) else { return }
                session = old
                session.provenance = .salvaged
                session.losses = []
            }
        }

        func alter(_ report: inout RecoveryReport) async {
            report.losses = [Loss(.attributes, session: session, detail: "the attributes")]
        }
    }

    /// Keeps each title in a file of its own, and trusts what it reads there.
    struct TitlesInFiles: StorageDecorator {
        let base: any SessionStorage
        let folder: String

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            let receipt = try await base.save(changes, durability: durability)
            for case .putTab(let tab, let session) in changes.changes
            where session.partition == .regular {
                try FileSystem.makeDirectories(folder)
                try FileSystem.replace("\(folder)/\(tab.id)", with: Array(tab.title.utf8))
            }
            return receipt
        }

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            try await restoreEach(ids, version) { session throws(StorageError) in
                for index in session.tabs.indices {
                    let file = "\(folder)/\(session.tabs[index].id)"
                    guard try FileSystem.exists(file) else { continue }
                    session.tabs[index].title = String(
                        decoding: try FileSystem.read(file), as: UTF8.self)
                }
            }
        }
    }
#endif
