#if FaultyBackends
    import BrowserSessions

    /// Says that a blob is damaged, and not whose.
    struct TellsNoTab: StorageDecorator {
        let base: any SessionStorage

        func recover(_ mode: RecoveryMode) async throws(StorageError) -> RecoveryReport {
            var report = try await base.recover(mode)
            report.losses = report.losses.map { Loss($0.kind, detail: $0.detail) }
            return report
        }
    }
#endif
