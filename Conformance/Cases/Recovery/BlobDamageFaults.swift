#if FaultyBackends
    import BrowserSessions
    import StorageEngines

    /// Says that a blob is damaged, and not whose.
    struct TellsNoTab: FalseReporter {
        let base: any SessionStorage

        func alter(_ report: inout RecoveryReport) async {
            report.losses = report.losses.map { Loss($0.kind, detail: $0.detail) }
        }
    }
#endif
