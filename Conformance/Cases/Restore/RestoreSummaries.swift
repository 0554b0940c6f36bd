import BrowserSessions

/// RESTORE-17: what summaries report about sessions without restoring them.
extension ConformanceSuite {
    @SuiteBuilder static var restoreSummaries: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-17", .must,
            """
            Of each session there is a summary, with the title, the number of tabs and the last use that \
            restoring it would tell, and no fewer bytes than its state has.
            """
        )
        .tried("an ordinary life of edits, and a reopening", summariesAreTrue)
        .catches("summarizes-what-it-first-saw", says: "the title") {
            let made = FaultMemory<[SessionID: SessionSummary]>([:])
            return $0.answering(SummariesRequest.self) { all in
                for summary in all { made.use { $0[summary.id] = $0[summary.id] ?? summary } }
                all = all.map { made.value[$0.id] ?? $0 }
            }
        }
        .catches("summarizes-the-latest-ever", says: "the last use") {
            let latest = FaultMemory<[SessionID: Timestamp]>([:])
            return $0.answering(SummariesRequest.self) { all in
                for index in all.indices {
                    let id = all[index].id
                    all[index].lastActiveAt = max(
                        all[index].lastActiveAt, latest.value[id] ?? .unknown)
                    latest.use { [time = all[index].lastActiveAt] in $0[id] = time }
                }
            }
        }
        .catches("summarizes-one-partition", says: "the sessions that have one") {
            $0.answering(SummariesRequest.self) {
                $0.removeAll { $0.id.partition == .incognito }
            }
        }
        .catches("summarizes-without-state", says: "bytes of state") {
            $0.answering(SummariesRequest.self) {
                for index in $0.indices { $0[index].byteCount = 100 * $0[index].tabCount }
            }
        }
    }

    @Sendable private static func summariesAreTrue(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var store = try await context.open(location)
        try requireEqual(try await store.summaries().count, 0, "the summaries of a new store")
        for (number, changes) in lifeOfEdits.enumerated() {
            _ = try await store.save(changes)
            try await requireTrueSummaries(in: store, "after edit \(number + 1)")
        }
        store = try await context.reopenIfPossible(store, at: location)
        try await requireTrueSummaries(in: store, "after the reopening")
        _ = try await store.save(SessionChanges(.removeState(Plain.key(2))))
        try await requireTrueSummaries(in: store, "after an edit of the opened store")
        try await store.close()
    }

    private static var lifeOfEdits: [SessionChanges] {
        let (one, two) = (Plain.session(1), Plain.session(2))
        let other = Plain.session(1, .incognito)
        func blob(_ bytes: Int) -> [UInt8] { [UInt8](repeating: 7, count: bytes) }
        func tab(_ number: Int, used: Int64) -> TabMetadata {
            var tab = Plain.tab(number)
            tab.lastActiveAt = Timestamp(microseconds: used)
            return tab
        }
        return [
            SessionChanges(all: (1...5).map { .put(tab($0, used: Int64($0) * 10), in: one) }),
            SessionChanges(
                .put(.session(one, SessionAttributes(title: "One"))),
                .putState(blob(3000), for: Plain.key(2)),
                .putState(blob(1000), for: Plain.key(2, .native))),
            SessionChanges(.put(tab(9, used: 7), in: other)),
            // The most recently used tab goes, is used less, moves.
            SessionChanges(.remove(Plain.tab(5).id, from: one)),
            SessionChanges(.put(tab(4, used: 1), in: one)),
            SessionChanges(.put(tab(2, used: 200), in: two)),
            SessionChanges(.put(tab(2, used: 200), in: one)),
            SessionChanges(.putState(blob(20), for: Plain.key(2))),
            SessionChanges(
                .put(.session(two, SessionAttributes(lastActiveAt: Timestamp(microseconds: 500))))),
            SessionChanges(.remove(one), .put(tab(2, used: 3), in: two)),
            SessionChanges(.put(.session(two, SessionAttributes(title: "Two")))),
        ]
    }

    private static func requireTrueSummaries(in store: any SessionStorage, _ moment: String)
        async throws
    {
        let summaries = try await store.summaries()
        let sessions = try await store.sessions()
        try requireEqual(
            summaries.map(\.id), sessions, "\(moment): the sessions that have one, in order")
        for (summary, session) in zip(summaries, try await store.restore(sessions)) {
            try requireEqual(summary.title, session.attributes.title, "\(moment): the title")
            try requireEqual(
                summary.tabCount, session.tabs.count, "\(moment): the number of tabs")
            let times = session.tabs.map(\.lastActiveAt) + [session.attributes.lastActiveAt]
            try requireEqual(summary.lastActiveAt, times.max(), "\(moment): the last use")
            let keys = try await store.stateKeys(in: session.id)
            let bytes = try await store.states(of: keys).values.reduce(0) { $0 + $1.count }
            try require(
                summary.byteCount >= bytes && summary.byteCount <= bytes + 4096,
                "\(moment): the summary says \(summary.byteCount), there are \(bytes) bytes of state"
            )
        }
    }
}
