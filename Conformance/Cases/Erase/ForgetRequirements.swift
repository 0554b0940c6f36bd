import BrowserSessions

/// Forgetting sites.
extension ConformanceSuite {
    @SuiteBuilder static var forgetting: [SuiteEntry] {
        SuiteEntry(
            "ERASE-9", .must,
            """
            After forget no session, history, state or restore point shows the sites, but for open tabs \
            that are on them; all restore points and everything else are as they were; the receipt \
            counts what went. A dry run changes nothing and returns the same receipt.
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
