import BrowserSessions
import SessionSamples

extension RequirementGroup {
    /// The sizes and numbers that a store must support, and how it refuses more.
    public static let limits = RequirementGroup(
        "LIMITS",
        """
        The sizes and numbers that a store must bear, and how it refuses more.
        """)
}

extension ConformanceSuite {
    @SuiteBuilder static var limits: [SuiteEntry] {
        SuiteEntry("LIMITS-2", .must, "A store holds 200 sessions and answers with each.")
            .tried("200 sessions", manySessions)
            .catches("lists-128-sessions", says: "the sessions are not those") {
                $0.answering(SessionsRequest.self) { $0 = Array($0.prefix(128)) }
            }
        SuiteEntry(
            "LIMITS-4", .must,
            "A session with 1,000 groups and 1,000 properties comes back as it was saved."
        )
        .tried("1,000 groups and properties", manyGroups)
        .catches("keeps-255-groups", says: "the groups are not as saved") {
            $0.restoring { $0.nodes = Array($0.nodes.prefix(255)) }
        }
        SuiteEntry(
            "LIMITS-7", .must,
            """
            Kinds of a host's own come back as they are, in the incognito partition if and only if \
            they begin with 'incognito-'.
            """
        )
        .tried("six kinds of a host", ownKinds)
        .catches("keeps-incognito-work", says: "the kinds left after") {
            $0.on(DeleteIncognitoRequest.self) { delete, store in
                var kept = SessionChanges()
                for id in try await store.sessions()
                where id.kind.rawValue.hasPrefix("incognito-") {
                    guard let session = try await store.restore(id) else { continue }
                    kept.put(session.attributes, for: id)
                }
                try await delete.perform(on: store)
                if !kept.isEmpty { _ = try await store.save(kept) }
            }
        }
        SuiteEntry(
            "LIMITS-9", .must,
            "One set with 64 MiB of state is saved as a whole and read back as it was saved."
        )
        .tried("eight states of 8 MiB", timeLimit: .seconds(300), largeSet)
        .catches("sets-of-32-MiB", says: "a set of 64 MiB was refused") {
            $0.before(SaveRequest.self) { save, _ in
                var bytes = 0
                for case .putState(let state, _) in save.changes.changes {
                    bytes += state.count
                }
                guard bytes <= 32 << 20 else {
                    throw StorageError(.tooLarge, "the set is too large")
                }
            }
        }
        .catches("keeps-60-MiB", says: "of 8 MiB is not as saved") {
            let sum = FaultMemory(0)
            return $0.puttingStates { bytes in
                sum.use { $0 += bytes.count }
                return sum.value > 60 << 20 ? Array(bytes.dropLast(4 << 20)) : bytes
            }
        }
    }

    /// Saves the sessions as one set for each partition, opens the store again where that is
    /// possible, and compares.
    private static func requireRoundTrip(
        _ context: CaseContext, _ sessions: [SessionSnapshot]
    ) async throws {
        let location = try await context.makeLocation()
        var store = try await context.open(location)
        for session in sessions {
            _ = try await store.save(SessionChanges(saving: session), durability: .memory)
        }
        store = try await context.reopenIfPossible(store, at: location)
        try require(
            try await store.sessions() == sessions.map(\.id).sorted(),
            "the sessions are not those that were saved")
        let (found, saved) = (try await StoreContent.read(store), StoreContent(sessions))
        try require(
            found.sessions.mapValues(\.attributes) == saved.sessions.mapValues(\.attributes),
            "the attributes are not as saved")
        try require(
            found.sessions.mapValues(\.nodes) == saved.sessions.mapValues(\.nodes),
            "the groups are not as saved")
        try require(found == saved, "the tabs or their states are not as saved")
        try await store.close()
    }

    private static func manySessions(_ context: CaseContext) async throws {
        var sampler = context.sampler
        try await requireRoundTrip(context, sampler.windows(200, tabs: 2))
    }

    private static func manyGroups(_ context: CaseContext) async throws {
        var sampler = context.sampler
        var session = sampler.window(tabs: 1000)
        session.nodes = []
        for index in session.tabs.indices {
            var group = StructureNode.group(
                id: NodeID(high: 3, low: UInt64(index)), name: "group \(index)")
            group.place = session.tabs[index].metadata.place
            session.nodes.append(group)
            session.tabs[index].metadata.isPinned = false
            session.tabs[index].metadata.group = group.id
            session.attributes.properties["property \(index)"] = "\(index)"
            session.tabs[0].metadata.properties["property \(index)"] = "\(index)"
        }
        try await requireRoundTrip(context, [session])
    }

    private static let kindNames = [
        "reading-list", "reading-list2", "incognito-work", "incognito-", "incognitoish",
        "a-kind-of-thirty-two-bytes-12345",
    ]

    private static func ownKinds(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let sessions = try kindNames.map { name in
            let kind = try unwrap(SessionKind(rawValue: name), "'\(name)' is no kind")
            return sampler.window(tabs: 2, kind: kind, state: .navigationOnly)
        }
        try await requireRoundTrip(context, sessions)
        let store = try await context.openNew()
        for session in sessions { _ = try await store.save(SessionChanges(saving: session)) }
        try await store.deleteIncognito()
        let regular = sessions.map(\.id).filter { !$0.kind.rawValue.hasPrefix("incognito-") }
        try requireEqual(
            Set(try await store.sessions().map(\.kind.rawValue)),
            Set(regular.map(\.kind.rawValue)), "the kinds left after incognito was deleted")
        try await store.close()
    }
}
