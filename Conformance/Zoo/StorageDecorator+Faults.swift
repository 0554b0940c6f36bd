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
            _ ids: [SessionID], _ generation: SessionGeneration,
            _ change: (inout RestoredSession) throws(StorageError) -> Void
        ) async throws(StorageError) -> [RestoredSession] {
            var found = try await base.restore(ids, generation: generation)
            for index in found.indices { try change(&found[index]) }
            return found
        }
    }

    /// Takes a generation by opening, though not where others see it.
    struct TakesWhatItReads: StorageDecorator {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], generation: SessionGeneration)
            async throws(StorageError) -> [RestoredSession]
        {
            var found = try await base.restore(ids, generation: .current)
            if generation != .current {
                for place in found.indices { found[place].provenance = .previousGeneration }
            }
            return found
        }
    }
#endif
