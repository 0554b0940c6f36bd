import BrowserSessions

/// Forgetting sites.
extension ConformanceSuite {
    @SuiteBuilder static var forgetting: [SuiteEntry] {
        SuiteEntry(
            "ERASE-9", .must,
            """
            After erase(.sites) no session, history, state or restore point shows the sites, but for open tabs \
            that are on them, and no state names one of them in bytes that are no history; all restore \
            points and everything else are as they were, also what names hosts that are written alike; \
            the receipt counts what went. A dry run changes nothing and returns the same receipt.
            """, needs: [.reopening, .erasure, .takesRestorePoints]
        )
        .tried("visits in all that keeps visits", ForgetCases.everywhere)
        .tried("visits since a moment, and an open tab", ForgetCases.recentAndOpen)
        .catches("forgets-nothing", says: "shows what was to be forgotten") {
            $0.onForgetting { sites, _, store in
                try await store.erase(.sites(sites, isDryRun: true))
            }
        }
        .catches("forgets-no-opaque-states", says: "now a session or a state shows") {
            $0.onForgetting { sites, isDryRun, store in
                let kept = isDryRun ? [:] : try await store.opaqueStates()
                let receipt = try await store.erase(.sites(sites, isDryRun: isDryRun))
                var changes = SessionChanges()
                let tabs = Set(try await store.restore(store.sessions()).flatMap(\.tabs).map(\.id))
                for (key, bytes) in kept where tabs.contains(key.tab) {
                    changes.put(bytes, for: key)
                }
                _ = try await store.save(changes)
                return receipt
            }
        }
        .catches("forgets-no-opaque-states-of-points", says: "at the restore point") {
            let kept = FaultMemory<[RestorePointID: [TabStateKey: [UInt8]]]>([:])
            return $0.onForgetting { sites, isDryRun, store in
                for point in isDryRun ? [] : try await store.restorePoints() {
                    let states = try await store.opaqueStates(at: .point(point.id))
                    kept.use { $0[point.id, default: [:]].merge(states) { one, _ in one } }
                }
                return try await store.erase(.sites(sites, isDryRun: isDryRun))
            }.on(StatesRequest.self) { states, store in
                let found = try await states.perform(on: store)
                guard case .point(let id) = states.version else { return found }
                return kept.value[id, default: [:]].merging(found) { one, _ in one }
            }
        }
        .catches("forgets-hosts-alike", says: "what names another host") {
            $0.onForgetting { sites, isDryRun, store in
                let receipt = try await store.erase(.sites(sites, isDryRun: isDryRun))
                var changes = SessionChanges()
                for (key, bytes) in isDryRun ? [:] : try await store.opaqueStates() {
                    let text = String(decoding: bytes, as: UTF8.self)
                    if sites.hosts.contains(where: text.contains) { changes.remove(key) }
                }
                _ = try await store.save(changes)
                return receipt
            }
        }
        .catches("forgets-points", says: "the restore points that stay") {
            $0.onForgetting { sites, isDryRun, store in
                let receipt = try await store.erase(.sites(sites, isDryRun: isDryRun))
                for point in isDryRun ? [] : try await store.restorePoints() {
                    try await store.releaseRestorePoint(point.id)
                }
                return receipt
            }
        }
        .catches("forgets-while-trying", says: "a dry run changed something") {
            $0.onForgetting { sites, _, store in try await store.erase(.sites(sites)) }
        }
        .catches("forgets-what-was-before", says: "the tabs that were forgotten") {
            $0.onForgetting { sites, isDryRun, store in
                let sites = try ForgottenSites(sites.hosts)
                return try await store.erase(.sites(sites, isDryRun: isDryRun))
            }
        }
        SuiteEntry(
            "ERASE-10", .must,
            "After erase(.sites) no byte of what was visited on the sites is in any file.",
            needs: [.files, .reopening, .removalErased, .takesRestorePoints]
        )
        .tried("visits in all that keeps visits", ForgetCases.files)
        .catches("removes-and-erases-nothing", says: "have what was to be forgotten") {
            $0.onForgetting { sites, isDryRun, store in
                let receipt = try await store.erase(.sites(sites, isDryRun: true))
                for session in isDryRun ? [] : try await store.sessions() {
                    _ = try await store.save(SessionChanges(.remove(session)))
                }
                return receipt
            }
        }
    }
}

extension SessionStorage {
    /// Does something else instead of forgetting sites. The work gets the sites, whether nothing
    /// is to be changed, and the sound store.
    fileprivate func onForgetting(
        _ work:
            @escaping @Sendable (ForgottenSites, Bool, any SessionStorage) async throws
            -> ForgettingReceipt
    ) -> AlteredStorage {
        on(EraseRequest.self) { erase, store in
            guard case .sites(let sites, let isDryRun) = erase.scope else {
                return try await erase.perform(on: store)
            }
            return try await work(sites, isDryRun, store)
        }
    }

    /// Returns the states of web engines that the regular sessions have.
    fileprivate func opaqueStates(at version: SessionVersion = .current) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        var found: [TabStateKey: [UInt8]] = [:]
        for session in try await sessions(at: version) where session.partition == .regular {
            let keys = try await stateKeys(in: session, at: version).filter { $0.name == .native }
            found.merge(try await states(of: keys, at: version)) { one, _ in one }
        }
        return found
    }
}
