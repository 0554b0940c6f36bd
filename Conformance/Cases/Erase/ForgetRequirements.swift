import BrowserSessions
import Synchronization

/// Forgetting sites.
extension ConformanceSuite {
    @SuiteBuilder static var forgetting: [SuiteEntry] {
        SuiteEntry(
            "ERASE-9", .must,
            """
            After forget no session, history, state or restore point shows the sites, but for open tabs \
            that are on them, and no state names one of them in bytes that are no history; all restore \
            points and everything else are as they were, also what names hosts that are written alike; \
            the receipt counts what went. A dry run changes nothing and returns the same receipt.
            """, needs: [.reopening, .erasure, .takesRestorePoints]
        )
        .tried("visits in all that keeps visits", ForgetCases.everywhere)
        .tried("visits since a moment, and an open tab", ForgetCases.recentAndOpen)
        #if FaultyBackends
            .catches(
                FaultyBackend("forgets-nothing", says: "shows what was to be forgotten") {
                    ForgetsOtherwise(base: $0) { base, sites, _ throws(StorageError) in
                        try await base.forget(sites, isDryRun: true)
                    }
                },
                FaultyBackend("forgets-no-opaque-states", says: "now a session or a state shows") {
                    ForgetsOtherwise(base: $0) { base, sites, isDryRun throws(StorageError) in
                        let kept = isDryRun ? [:] : try await base.opaqueStates()
                        let receipt = try await base.forget(sites, isDryRun: isDryRun)
                        var changes = SessionChanges()
                        let left = try await base.restore(base.sessions()).flatMap(\.tabs)
                        let tabs = Set(left.map(\.id))
                        for (key, bytes) in kept where tabs.contains(key.tab) {
                            changes.put(bytes, for: key)
                        }
                        _ = try await base.save(changes)
                        return receipt
                    }
                },
                FaultyBackend("forgets-no-opaque-states-of-points", says: "at the restore point") {
                    KeepsStatesOfPoints(base: $0)
                },
                FaultyBackend("forgets-hosts-alike", says: "what names another host") {
                    ForgetsOtherwise(base: $0) { base, sites, isDryRun throws(StorageError) in
                        let receipt = try await base.forget(sites, isDryRun: isDryRun)
                        var changes = SessionChanges()
                        for (key, bytes) in isDryRun ? [:] : try await base.opaqueStates() {
                            let text = String(decoding: bytes, as: UTF8.self)
                            if sites.hosts.contains(where: text.contains) { changes.remove(key) }
                        }
                        _ = try await base.save(changes)
                        return receipt
                    }
                },
                FaultyBackend("forgets-points", says: "the restore points that stay") {
                    ForgetsOtherwise(base: $0) { base, sites, isDryRun throws(StorageError) in
                        let receipt = try await base.forget(sites, isDryRun: isDryRun)
                        if !isDryRun {
                            for point in try await base.restorePoints() {
                                try await base.releaseRestorePoint(point.id)
                            }
                        }
                        return receipt
                    }
                },
                FaultyBackend("forgets-while-trying", says: "a dry run changed something") {
                    ForgetsOtherwise(base: $0) { base, sites, _ throws(StorageError) in
                        try await base.forget(sites)
                    }
                },
                FaultyBackend("forgets-what-was-before", says: "the tabs that were forgotten") {
                    ForgetsOtherwise(base: $0) { base, sites, isDryRun throws(StorageError) in
                        try await base.forget(
                            try ForgottenSites(sites.hosts), isDryRun: isDryRun)
                    }
                })
        #endif
        SuiteEntry(
            "ERASE-10", .must,
            "After forget no byte of what was visited on the sites is in any file.",
            needs: [.files, .reopening, .removalErased, .takesRestorePoints]
        )
        .tried("visits in all that keeps visits", ForgetCases.files)
        #if FaultyBackends
            .catches(
                FaultyBackend("removes-and-erases-nothing", says: "have what was to be forgotten") {
                    ForgetsOtherwise(base: $0) { base, sites, isDryRun throws(StorageError) in
                        let receipt = try await base.forget(sites, isDryRun: true)
                        guard !isDryRun else { return receipt }
                        for session in try await base.sessions() {
                            var changes = SessionChanges()
                            changes.remove(session)
                            _ = try await base.save(changes)
                        }
                        return receipt
                    }
                })
        #endif
    }
}

#if FaultyBackends
    extension SessionStorage {
        /// Returns the states of web engines that the present sessions have.
        fileprivate func opaqueStates() async throws(StorageError) -> [TabStateKey: [UInt8]] {
            var found: [TabStateKey: [UInt8]] = [:]
            for session in try await sessions() where session.partition == .regular {
                let keys = try await stateKeys(in: session).filter { $0.name == .native }
                found.merge(try await states(of: keys)) { one, _ in one }
            }
            return found
        }
    }

    /// Forgets nothing of what web engines kept at restore points.
    private final class KeepsStatesOfPoints: StorageDecorator {
        let base: any SessionStorage
        private let kept = Mutex<[RestorePointID: [TabStateKey: [UInt8]]]>([:])

        init(base: any SessionStorage) { self.base = base }

        func forget(_ sites: ForgottenSites, isDryRun: Bool) async throws(StorageError)
            -> ForgettingReceipt
        {
            for point in isDryRun ? [] : try await base.restorePoints() {
                let version = SessionVersion.point(point.id)
                for session in try await base.sessions(at: version) {
                    let keys = try await base.stateKeys(in: session, at: version)
                    let native = keys.filter { $0.name == .native }
                    let states = try await base.states(of: native, at: version)
                    kept.withLock { $0[point.id, default: [:]].merge(states) { one, _ in one } }
                }
            }
            return try await base.forget(sites, isDryRun: isDryRun)
        }

        func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey: [UInt8]]
        {
            let found = try await base.states(of: keys, at: version)
            guard case .point(let id) = version else { return found }
            return kept.withLock { $0[id, default: [:]] }.merging(found) { one, _ in one }
        }
    }

    /// Forgets more, less or something else.
    private struct ForgetsOtherwise: StorageDecorator {
        let base: any SessionStorage
        let forgetting:
            @Sendable (any SessionStorage, ForgottenSites, Bool) async throws(StorageError)
                -> ForgettingReceipt

        init(
            base: any SessionStorage,
            _ forgetting:
                @escaping @Sendable (any SessionStorage, ForgottenSites, Bool)
                async throws(StorageError) -> ForgettingReceipt
        ) {
            (self.base, self.forgetting) = (base, forgetting)
        }

        func forget(_ sites: ForgottenSites, isDryRun: Bool) async throws(StorageError)
            -> ForgettingReceipt
        {
            try await forgetting(base, sites, isDryRun)
        }
    }
#endif
