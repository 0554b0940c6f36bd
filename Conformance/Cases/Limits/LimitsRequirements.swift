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

extension SuiteGroup {
    static var limits: SuiteGroup {
        SuiteGroup(.limits, ConformanceSuite.limits)
    }
}

extension ConformanceSuite {
    @SuiteBuilder static var limits: [SuiteEntry] {
        SuiteEntry(
            "LIMITS-1", .must,
            """
            The limit of one state in the traits is the option's: as many bytes are taken, \
            one more is tooLarge.
            """
        )
        .tried("limits of 1, 1,000 and 65,536 bytes", stateLimit)
        #if FaultyBackends
            .catches(
                FaultyBackend("limit-off-by-one", says: "as large as the limit of 1 was") {
                    let limit = $0.traits.maximumStateBytes
                    return EditsSets(base: $0) { change throws(StorageError) in
                        if case .putState(let bytes, _) = change, bytes.count >= limit {
                            throw StorageError(.tooLarge, "a state is too large", operation: "save")
                        }
                        return change
                    }
                },
                FaultyBackend("ignores-the-limit", says: "the limit in the traits") {
                    configuration throws(StorageError) in
                    var configuration = configuration
                    configuration.options["maximumStateBytes"] = nil
                    return try ReferenceEngine.open(configuration)
                })
        #endif
        SuiteEntry("LIMITS-2", .must, "A store holds 200 sessions and answers with each.")
            .tried("200 sessions", manySessions)
            #if FaultyBackends
                .catches(
                    FaultyBackend("lists-128-sessions", says: "the sessions are not those") {
                        ListsFewSessions(base: $0)
                    })
            #endif
        SuiteEntry(
            "LIMITS-3", .must, "Addresses and titles of 64 KiB come back as they were saved."
        )
        .tried("a tab with long texts", longTexts)
        #if FaultyBackends
            .catches(
                FaultyBackend("cuts-addresses", says: "the tabs are not as saved") {
                    EditsSets(base: $0) { change in
                        guard case .putTab(var tab, let id) = change else { return change }
                        tab.url = String(tab.url.prefix(65_535))
                        return .putTab(tab, in: id)
                    }
                })
        #endif
        SuiteEntry(
            "LIMITS-4", .must,
            "A session with 1,000 groups and 1,000 properties comes back as it was saved."
        )
        .tried("1,000 groups and properties", manyGroups)
        #if FaultyBackends
            .catches(
                FaultyBackend("keeps-255-groups", says: "the attributes are not as saved") {
                    EditsSets(base: $0) { change in
                        guard case .putSession(let id, var attributes) = change else {
                            return change
                        }
                        attributes.groups = Array(attributes.groups.prefix(255))
                        return .putSession(id, attributes)
                    }
                })
        #endif
        SuiteEntry(
            "LIMITS-5", .must,
            "Places of every legal length come back as they were saved and order their tabs."
        )
        .tried("places of 1 to the most bytes", deepPlaces)
        #if FaultyBackends
            .catches(
                FaultyBackend("cuts-places", says: "the tabs are not as saved") {
                    EditsSets(base: $0) { change in
                        guard case .putTab(var tab, let id) = change, tab.place.length > 64 else {
                            return change
                        }
                        tab.place = OrderKey(bytes: tab.place.bytes.prefix(63) + [2]) ?? tab.place
                        return .putTab(tab, in: id)
                    }
                })
        #endif
        SuiteEntry(
            "LIMITS-6", .must,
            "Identifiers that differ in one bit, or in the order of their bytes, are distinct."
        )
        .tried("129 identifiers and a reversed one", similarIdentifiers)
        #if FaultyBackends
            .catches(
                FaultyBackend("aliases-identifiers", says: "the sessions are not those") {
                    EditsSets(base: $0) { change in
                        func cut(_ id: SessionID) -> SessionID {
                            let window = WindowID(
                                high: id.window.high, low: id.window.low & ~0xFFFF_FFFF)
                            return SessionID(window: window, kind: id.kind)
                        }
                        return switch change {
                        case .putSession(let id, let attributes): .putSession(cut(id), attributes)
                        case .putTab(let tab, let id): .putTab(tab, in: cut(id))
                        default: change
                        }
                    }
                })
        #endif
        SuiteEntry(
            "LIMITS-7", .must,
            """
            Kinds of a host's own come back as they are, in the incognito partition if and only if \
            they begin with 'incognito-'.
            """
        )
        .tried("six kinds of a host", ownKinds)
        #if FaultyBackends
            .catches(
                FaultyBackend("keeps-incognito-work", says: "the kinds left after") {
                    KeepsOwnIncognito(base: $0)
                })
        #endif
        SuiteEntry(
            "LIMITS-8", .must,
            "States whose names have 64 bytes and differ in the last only are distinct."
        )
        .tried("two long names", longStateNames)
        #if FaultyBackends
            .catches(
                FaultyBackend("cuts-state-names", says: "a state is not as saved") {
                    EditsSets(base: $0) { change in
                        guard case .putState(let bytes, let key) = change,
                            key.name.rawValue.last == "b"
                        else { return change }
                        let name =
                            StateName(rawValue: String(key.name.rawValue.prefix(63))) ?? key.name
                        return .putState(
                            bytes,
                            for: TabStateKey(tab: key.tab, name: name, partition: key.partition))
                    }
                })
        #endif
        SuiteEntry(
            "LIMITS-9", .must,
            "One set with 64 MiB of state is saved as a whole and read back as it was saved."
        )
        .tried("eight states of 8 MiB", timeLimit: .seconds(300), largeSet)
        #if FaultyBackends
            .catches(
                FaultyBackend("sets-of-32-MiB", says: "a set of 64 MiB was refused") {
                    RefusesLargeSets(base: $0)
                },
                FaultyBackend("keeps-60-MiB", says: "of 8 MiB is not as saved") { base in
                    let sum = FaultMemory(0)
                    return EditsSets(base: base) { change in
                        guard case .putState(let bytes, let key) = change else { return change }
                        let all = sum.use { sum in
                            sum += bytes.count
                            return sum
                        }
                        return .putState(
                            all > 60 << 20 ? Array(bytes.dropLast(4 << 20)) : bytes, for: key)
                    }
                })
        #endif
    }

    private static func stateLimit(_ context: CaseContext) async throws {
        let tab = TabID(high: 7, low: 7)
        let key = TabStateKey(tab: tab, name: .native, partition: .regular)
        for limit in [1, 1000, 1 << 16] {
            let store = try await context.openNew(options: ["maximumStateBytes": .integer(limit)])
            try requireEqual(
                store.traits.maximumStateBytes, limit, "the limit in the traits")
            var changes = SessionChanges()
            let place = try unwrap(OrderKey.evenlySpaced(count: 1).first, "no place was made")
            changes.put(
                TabMetadata(id: tab, place: place), in: SessionID(window: .init(high: 1, low: 1)))
            changes.put([UInt8](repeating: 5, count: limit), for: key)
            do {
                _ = try await store.save(changes)
            } catch {
                throw Violation("a state as large as the limit of \(limit) was refused: \(error)")
            }
            var more = SessionChanges()
            more.put([UInt8](repeating: 6, count: limit + 1), for: key)
            try await requireError(.tooLarge, from: "a state of one byte over \(limit)") {
                _ = try await store.save(more)
            }
            try requireEqual(
                try await store.state(of: key)?.count, limit, "the size of the state afterwards")
            try await store.close()
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
        for session in sessions {
            let found = try unwrap(
                try await store.restore(session.id), "a session of \(sessions.count) is missing")
            try require(
                found.attributes == session.attributes, "the attributes are not as saved")
            try require(
                found.tabs == session.tabs.map(\.metadata),
                "the tabs are not as saved, or not in order")
            for tab in session.tabs where !tab.states.isEmpty {
                let keys = tab.states.keys.map {
                    TabStateKey(tab: tab.metadata.id, name: $0, in: session.id)
                }
                let states = try await store.state(of: keys)
                for key in keys {
                    try require(states[key] == tab.states[key.name], "a state is not as saved")
                }
            }
        }
        try await store.close()
    }

    private static func manySessions(_ context: CaseContext) async throws {
        var sampler = context.sampler
        try await requireRoundTrip(context, sampler.windows(200, tabs: 2))
    }

    private static func longTexts(_ context: CaseContext) async throws {
        var sampler = context.sampler
        var session = sampler.window(tabs: 2)
        for index in session.tabs.indices {
            let long = String(repeating: "0123456789abcde" + "\(index)", count: 1 << 12)
            session.tabs[index].metadata.url = "https://host.example/" + long
            session.tabs[index].metadata.title = long + "é"
        }
        try await requireRoundTrip(context, [session])
    }

    private static func manyGroups(_ context: CaseContext) async throws {
        var sampler = context.sampler
        var session = sampler.window(tabs: 1000)
        session.attributes.groups = []
        for index in session.tabs.indices {
            let group = TabGroup(
                id: TabGroupID(high: 3, low: UInt64(index)), title: "group \(index)")
            session.attributes.groups.append(group)
            session.tabs[index].metadata.isPinned = false
            session.tabs[index].metadata.group = group.id
            session.attributes.properties["property \(index)"] = "\(index)"
            session.tabs[0].metadata.properties["property \(index)"] = "\(index)"
        }
        try await requireRoundTrip(context, [session])
    }

    private static func deepPlaces(_ context: CaseContext) async throws {
        var tabs: [TabSnapshot] = []
        for length in 1...OrderKey.maximumLength {
            let bytes = [UInt8](repeating: 1, count: OrderKey.maximumLength - length) + [2]
            let place = try unwrap(OrderKey(bytes: bytes), "a legal place was not made")
            tabs.append(
                TabSnapshot(
                    metadata: TabMetadata(id: TabID(high: 4, low: UInt64(length)), place: place)))
        }
        let id = SessionID(window: WindowID(high: 1, low: 1))
        tabs.sort { $0.metadata.place < $1.metadata.place }
        try await requireRoundTrip(context, [SessionSnapshot(id: id, tabs: tabs)])
    }

    private static func similarIdentifiers(_ context: CaseContext) async throws {
        var generator = context.generator
        let base = TabID.random(using: &generator)
        var ids = [base, TabID(high: base.low, low: base.high)]
        ids.append(TabID(high: base.low.byteSwapped, low: base.high.byteSwapped))
        for bit in 0..<64 {
            ids.append(TabID(high: base.high ^ 1 << UInt64(bit), low: base.low))
            ids.append(TabID(high: base.high, low: base.low ^ 1 << UInt64(bit)))
        }
        let sessions = zip(ids, OrderKey.evenlySpaced(count: ids.count)).map { id, place in
            let tab = TabMetadata(id: id, place: place, title: "\(id)")
            let state = [StateName.native: id.bytes]
            return SessionSnapshot(
                id: SessionID(window: WindowID(high: id.high, low: id.low)),
                tabs: [TabSnapshot(metadata: tab, states: state)])
        }
        try await requireRoundTrip(context, sessions)
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

    private static func longStateNames(_ context: CaseContext) async throws {
        var sampler = context.sampler
        var session = sampler.window(tabs: 1)
        for last in ["a", "b", ".", "-"] {
            let text = String(repeating: "n.", count: 31) + "0" + last
            let name = try unwrap(StateName(rawValue: text), "a legal name was not made")
            session.tabs[0].states[name] = Array(last.utf8)
        }
        try await requireRoundTrip(context, [session])
    }
}
