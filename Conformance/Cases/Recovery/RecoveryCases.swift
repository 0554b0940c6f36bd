import BrowserSessions
import SessionSamples
import StorageEngines

/// Rules for a store with one damaged file.
enum RecoveryCases {
    /// Checks everything that damage must not do.
    static func survives(_ trial: DamageTrial, _ content: DamagedContent) throws {
        try givesOnlySaved(trial, content)
        try reportsLosses(trial, content)
        try keepsTheRest(trial, content)
    }

    private static func reportsLosses(_ trial: DamageTrial, _ content: DamagedContent) throws {
        for partition in StoragePartition.allCases where !content.isWhole(trial, partition) {
            try require(
                content.saysLoss(partition),
                "\(trial.what): the \(partition.rawValue) partition is not as it was, and nothing says so"
            )
            let isDiscarded =
                partition == .incognito && content.report.discardedIncognitoPartitions > 0
            let hasUnknown = content.report.losses.contains { $0.kind == .unknownRecords }
            for session in trial.used.sessions(of: partition)
            where !isDiscarded && !hasUnknown && content.ids?.contains(session.id) == false {
                try require(
                    content.unreadable.contains(session.id)
                        || content.sessions[session.id] != nil,
                    "\(trial.what): a session that was saved is answered with nil")
            }
            if let problem = LossAccount(content).unexplained(trial, partition) {
                throw Violation("\(trial.what): \(problem), and nothing says so of it")
            }
        }
    }

    private static func givesOnlySaved(_ trial: DamageTrial, _ content: DamagedContent) throws {
        for session in content.sessions.values {
            for tab in session.tabs {
                let versions = trial.used.tabs[tab.id] ?? []
                try require(
                    versions.contains(tab)
                        || (!session.repairs.isEmpty
                            && versions.contains { $0.url == tab.url && $0.title == tab.title }),
                    "\(trial.what): a tab came back that was never saved")
            }
            for node in session.nodes {
                try require(
                    trial.used.nodes[node.id]?.contains(node) == true || !session.repairs.isEmpty,
                    "\(trial.what): a group came back that was never saved")
            }
            try require(
                session.losses.contains { $0.kind == .attributes }
                    || session.attributes == SessionAttributes() || !session.repairs.isEmpty
                    || trial.used.attributes[session.id]?.contains(session.attributes) == true,
                "\(trial.what): attributes came back that were never saved")
        }
        for (key, bytes) in content.states {
            try require(
                trial.used.states[key]?.contains(bytes) == true,
                "\(trial.what): state came back that was never saved")
        }
    }

    private static func keepsTheRest(_ trial: DamageTrial, _ content: DamagedContent) throws {
        if let damaged = trial.partition {
            for partition in StoragePartition.allCases where partition != damaged {
                try require(
                    content.isWhole(trial, partition),
                    "\(trial.what): the \(partition.rawValue) partition was not damaged and is not as it was"
                )
            }
        }
        let expected = StoreContent(trial.used.current)
        for (id, session) in content.sessions where session.provenance == .intact {
            try require(
                session == expected.sessions[id],
                "\(trial.what): a session is called intact and is not as it was saved")
        }
    }

    /// Checks that, and that no more tabs are lost than one set had.
    static func survivesBits(
        _ context: CaseContext,
        _ each: ((DamageTrial) async throws -> Void) async throws -> Void
    ) async throws {
        var worst = 0
        try await each { trial in
            let content = try await DamagedContent(trial)
            try survives(trial, content)
            for partition in StoragePartition.allCases {
                let isDiscarded =
                    partition == .incognito && content.report.discardedIncognitoPartitions > 0
                let lost = isDiscarded ? 0 : content.lostTabs(trial, partition)
                try require(
                    lost <= UsedStore.tabsOfSet,
                    "\(trial.what): it cost \(lost) tabs of the \(partition.rawValue) partition")
                worst = max(worst, lost)
            }
        }
        context.note("no flipped bit cost more than \(worst) tabs")
    }

    @Sendable static func keepsDamagedBytes(_ trial: DamageTrial) async throws {
        let content = try await DamagedContent(trial)
        guard let partition = trial.partition else { return }
        let isNoticed = !content.isWhole(trial, partition) || !content.report.quarantined.isEmpty
        guard isNoticed else { return }
        let repair = try await trial.store.repair()
        let kept = content.report.quarantined + repair.quarantined
        if partition == .incognito {
            try require(
                kept.isEmpty, "\(trial.what): something of the incognito partition was kept")
            return
        }
        try require(!kept.isEmpty, "\(trial.what): something was lost and no copy is named")
        for path in kept {
            try require(
                try FileSystem.exists(path), "\(trial.what): a copy that is named is not there")
        }
        // Files outside the partition's folder hold no records.
        guard trial.file.contains("/"), !trial.traces.isEmpty else { return }
        try require(
            try kept.contains { try Self.holds($0, trial.traces) },
            "\(trial.what): the damaged bytes are not in what was kept")
    }

    private static func holds(_ path: String, _ traces: [[UInt8]]) throws -> Bool {
        if try FileSystem.status(path)?.kind == .file {
            let bytes = try FileSystem.read(path)
            return traces.contains { bytes.holds($0) }
        }
        return try !LocationFiles(path).paths(holding: traces).isEmpty
    }

    @Sendable static func goesOn(_ trial: DamageTrial) async throws {
        let before = try await DamagedContent(trial)
        var sampler = SessionSampler(seed: trial.context.seed &+ 77)
        let later = sampler.window(tabs: 3, state: .blobs(50...200))
        try await requireSuccess("\(trial.what): the damaged store cannot be saved to") {
            _ = try await trial.store.save(later.creation)
            try await trial.store.close()
        }
        let store = try await trial.context.open(trial.location)
        let after = try await DamagedContent(trial, store)
        try require(
            after.sessions[later.id]?.tabs == later.tabs.map(\.metadata),
            "\(trial.what): what was saved later is not there at the next opening")
        for (key, bytes) in StoreContent([later]).states {
            try require(
                after.states[key] == bytes,
                "\(trial.what): state that was saved later is not there at the next opening")
        }
        for (id, session) in before.sessions {
            try require(
                after.sessions[id]?.tabs == session.tabs,
                "\(trial.what): what could be read before is gone at the next opening")
        }
        // What could not be read may be found again, and is then no loss.
        let isWhole = StoragePartition.allCases.allSatisfy { partition in
            before.isWhole(trial, partition) || after.holdsEverything(trial, partition)
        }
        try require(
            isWhole || before.report.losses.isEmpty || !after.report.losses.isEmpty,
            "\(trial.what): a loss that was not accepted is forgotten")
        try await store.close()
    }

    @Sendable static func repairs(_ trial: DamageTrial) async throws {
        let before = try LocationFiles(trial.location)
        _ = try await trial.store.check()
        try before.requireSame(at: trial.location, "\(trial.what) after a check")
        let repair = try await trial.store.repair()
        try require(repair.isHealthy, "\(trial.what): the report of the repair calls for another")
        let check = try await trial.store.check()
        try require(check.isHealthy, "\(trial.what): the store is not healthy after the repair")
        let first = try await StoreContent.read(trial.store)
        let second = try await trial.store.repair()
        try require(second.losses.isEmpty, "\(trial.what): a second repair found losses")
        try require(
            try await StoreContent.read(trial.store) == first,
            "\(trial.what): a second repair changed sessions")
        try await trial.store.close()
        let store = try await trial.context.open(trial.location)
        let later = try await store.check()
        try require(later.isHealthy, "\(trial.what): a repaired store has losses when opened again")
        try require(
            Set(later.quarantined).isSuperset(of: repair.quarantined),
            "\(trial.what): the next opening does not report what was set aside")
        try require(
            try await StoreContent.read(store) == first,
            "\(trial.what): a repaired store is another one when opened again")
        try await store.erase(.quarantine)
        let left = try await store.check().quarantined
        try require(left.isEmpty, "\(trial.what): after a purge the report names \(left)")
        for path in repair.quarantined {
            try require(
                try !FileSystem.exists(path), "\(trial.what): after a purge something is left")
        }
        try await store.close()
    }
}
