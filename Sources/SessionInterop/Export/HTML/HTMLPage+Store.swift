import BrowserSessions

extension HTMLPage {
    /// Writes everything in a store; memory does not grow with it.
    ///
    /// Throws what the store or the sink throws.
    ///
    /// - Parameters:
    ///   - sides: The sides to write.
    ///   - losses: Told what is lost, which the page then names; without it the first loss is thrown
    ///     as `corrupted`.
    static func write(
        _ storage: any SessionStorage, title: String, exportedAt: Timestamp,
        includingHistories: Bool = true, sides: Set<StorageSide> = Set(StorageSide.allCases),
        losses: LossHandler? = nil, to sink: @escaping CanonicalJSON.Sink
    ) async throws(StorageError) {
        var page = try HTMLPage(
            title: title, exportedAt: exportedAt, includingHistories: includingHistories, sink: sink
        )
        let damaged = DamagedHistories()
        let stored = StoredSessions(
            storage: storage, includesStates: includingHistories, states: [.navigation],
            sides: sides,
            losses: losses.map { losses in
                { loss in
                    damaged.note(loss)
                    losses(loss)
                }
            })
        try await stored.forEach { session throws(StorageError) in
            try page.begin(session)
        } tab: { tab throws(StorageError) in
            let isDamaged = damaged.remove(tab.metadata.id)
            try page.add(tab.metadata, history: isDamaged ? .unreadable : HTMLHistory(of: tab))
        } end: { () throws(StorageError) in
            try page.endSession()
        }
        try page.finish()
    }

    /// Begins a session as it came out of a store, with what could not be read of it.
    mutating func begin(_ session: RestoredSession) throws(StorageError) {
        try begin(session.id, session.attributes, losses: session.lossLines)
    }

    /// Tabs whose history was found damaged and that are not written yet.
    private final class DamagedHistories {
        private var tabs: Set<TabID> = []

        func note(_ loss: Loss) {
            if loss.kind == .state, let tab = loss.tab { tabs.insert(tab) }
        }

        func remove(_ tab: TabID) -> Bool { tabs.remove(tab) != nil }
    }
}

extension RestoredSession {
    /// What of the session is not as it was saved last, in sentences.
    fileprivate var lossLines: [String] {
        var lines = losses.map { "\($0.kind.subject): \($0.detail)" }
        if provenance == .previousGeneration {
            lines.insert("what was saved last could not be read; this is an earlier state", at: 0)
        }
        return lines
    }
}

extension Loss.Kind {
    fileprivate var subject: String {
        switch self {
        case .attributes: "its name, groups and active tab could not be read"
        case .tab: "a tab could not be read"
        case .tabReplacedByEarlier: "an earlier version stands in for a tab"
        case .state: "the state of a tab could not be read"
        case .unknownRecords: "records are missing or stale"
        case .unfinishedWrite: "the last write was never finished"
        @unknown default: rawValue
        }
    }
}
