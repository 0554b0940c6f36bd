#if FaultyBackends
    import BrowserSessions
    import StorageEngines

    /// Reports something different from what was found.
    protocol FalseReporter: StorageDecorator {
        func alter(_ report: inout RecoveryReport) async
    }

    extension FalseReporter {
        func check() async throws(StorageError) -> RecoveryReport {
            var report = try await base.check()
            await alter(&report)
            return report
        }

        func repair() async throws(StorageError) -> RecoveryReport {
            var report = try await base.repair()
            await alter(&report)
            return report
        }
    }

    struct AlteredReports: FalseReporter {
        let base: any SessionStorage
        let change: @Sendable (inout RecoveryReport) -> Void

        func alter(_ report: inout RecoveryReport) { change(&report) }
    }

    extension StorageDecorator {
        /// Restores, and changes what comes back.
        func restoreEach(
            _ ids: [SessionID], _ version: SessionVersion,
            _ change: (inout RestoredSession) async throws(StorageError) -> Void
        ) async throws(StorageError) -> [RestoredSession] {
            var found = try await base.restore(ids, at: version)
            for index in found.indices { try await change(&found[index]) }
            return found
        }
    }

    /// Takes a restore point by opening, though not where others see it.
    struct TakesWhatItReads: StorageDecorator {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], at version: SessionVersion)
            async throws(StorageError) -> [RestoredSession]
        {
            var found = try await base.restore(ids, at: .current)
            if version != .current {
                for place in found.indices { found[place].provenance = .restorePoint }
            }
            return found
        }
    }
#endif
