#if FaultyBackends
    import BrowserSessions
    import StorageEngines

    /// Reports that a blob is damaged, but not its tab.
    struct TellsNoTab: FalseReporter {
        let base: any SessionStorage

        func alter(_ report: inout RecoveryReport) async {
            report.losses = report.losses.map { Loss($0.kind, detail: $0.detail) }
        }
    }
#endif
