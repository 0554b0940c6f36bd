import BrowserSessions
import SessionSamples
import StorageEngines

extension ConformanceSuite {
    /// Content, field by field.
    @SuiteBuilder static var restoreFields: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-1", .must,
            "Every field of a session's attributes, groups and tabs comes back as saved."
        )
        .tried("every field set") { context in
            try await context.withNewStore { store in
                try await FullRecords.session.saveAndCheck(in: store, "every field set")
            }
        }
        .tried("every field set, in the incognito partition") { context in
            try await context.withNewStore { store in
                var session = FullRecords.session
                session.id.kind = .incognito
                try await session.saveAndCheck(in: store, "every field set, incognito")
            }
        }
        .tried("a bare session and a session without attributes") { context in
            try await context.withNewStore { store in
                let bare = ExpectedSession(
                    id: Plain.session(1),
                    tabs: [TabMetadata(id: Plain.tab(0).id, place: .between(nil, and: nil))])
                try await bare.saveAndCheck(in: store, "a bare session")
                let implied = ExpectedSession(id: Plain.session(2), tabs: [Plain.tab(1)])
                _ = try await store.save(
                    SessionChanges(.put(implied.tabs[0], in: implied.id)))
                try await implied.check(in: store, "a session without attributes")
            }
        }
        .tried("sampled windows") { context in
            var sampler = context.sampler
            let windows = sampler.windows(5, tabs: 40).map {
                ExpectedSession(
                    id: $0.id, attributes: $0.attributes, tabs: $0.tabs.map(\.metadata),
                    nodes: $0.nodes)
            }
            try await context.withNewStore { store in
                for window in windows { _ = try await store.save(window.changes) }
                for (number, window) in windows.enumerated() {
                    try await window.check(in: store, "sampled window \(number)")
                }
            }
        }
        .catches("loses-icons", says: "every field set: tab 0 differs in faviconURL") {
            $0.puttingTabs { $0.faviconURL = "" }
        }
        .catches("loses-groups", says: "every field set: the number of nodes") {
            $0.restoring { $0.nodes = [] }
        }
        SuiteEntry(
            "RESTORE-2", .must, "Every field comes back as saved when the store is opened again.",
            needs: [.reopening]
        )
        .tried("every field set, opened three times") { context in
            let location = try await context.makeLocation()
            try await context.withStore(at: location) {
                _ = try await $0.save(FullRecords.session.changes)
            }
            for opening in 2...4 {
                try await context.withStore(at: location) {
                    try await FullRecords.session.check(in: $0, "at opening \(opening)")
                }
            }
        }
        .catches("keeps-properties-in-memory", says: "at opening 2: tab 0 differs in properties") {
            let kept = FaultMemory<[TabID: [String: String]]>([:])
            return $0.puttingTabs { tab in
                kept.use { [tab] in $0[tab.id] = tab.properties }
                tab.properties = [:]
            }.restoring { session in
                for index in session.tabs.indices {
                    session.tabs[index].properties = kept.value[session.tabs[index].id] ?? [:]
                }
            }
        }
        .catches("forgets-all-when-opened", says: "at opening 2: the session is absent") {
            configuration, open in
            try FileSystem.remove(configuration.location)
            return try open(configuration)
        }
        SuiteEntry(
            "RESTORE-3", .must,
            """
            Text of any length up to 64 KiB and of any characters comes back byte for byte, in \
            every field that holds text.
            """
        )
        .tried("texts that are easily spoiled") { context in
            let session = ExtremeValues.texts
            try await context.reopeningIfPossible { store in
                _ = try await store.save(session.changes)
            } check: { store in
                try await session.check(in: store, "texts that are easily spoiled")
            }
        }
        .catches("folds-case", says: "differs in url") {
            $0.puttingTabs { $0.url = $0.url.lowercased() }
        }
        .catches("stops-at-nul", says: "differs in title") {
            $0.puttingTabs { $0.title = String($0.title.prefix { $0 != "\0" }) }
        }
        .catches("cuts-text-at-255", says: "differs in faviconURL") {
            $0.puttingTabs { $0.faviconURL = String($0.faviconURL.prefix(255)) }
        }
        .catches("composes-letters", says: "tab 9 differs in title") {
            $0.puttingTabs { if $0.title == "\u{E9}" { $0.title = "\u{E9}" } }
        }
        .catches("trims-property-values", says: "differs in properties") {
            $0.puttingTabs { tab in
                tab.properties = tab.properties.mapValues { $0.filter { !$0.isWhitespace } }
            }
        }
        SuiteEntry(
            "RESTORE-4", .must,
            """
            Numbers and times come back exactly, from the smallest to the largest, but for \
            negative history counts; so do kinds and colours that this version does not know.
            """
        )
        .tried("the ends of every range") { context in
            let session = ExtremeValues.numbers
            try await context.reopeningIfPossible { store in
                _ = try await store.save(session.changes)
            } check: { store in
                try await session.check(in: store, "the ends of every range")
            }
        }
        .catches("keeps-milliseconds", says: "differs in createdAt") {
            $0.puttingTabs { $0.createdAt.microseconds = $0.createdAt.microseconds / 1000 * 1000 }
        }
        .catches("knows-nine-colours", says: "differs in color") {
            $0.restoring {
                for index in $0.nodes.indices where $0.nodes[index].color.name == nil {
                    $0.nodes[index].color = .grey
                }
            }
        }
        SuiteEntry(
            "RESTORE-5", .must,
            "Identifiers that differ in any bit are different: none stands for another."
        )
        .tried("identifiers one bit apart") { context in
            try await context.reopeningIfPossible { store in
                _ = try await store.save(similarIdentifiers.changes)
            } check: { store in
                try await checkIdentifiers(in: store)
            }
        }
        .catches(
            "loses-large-identifiers", says: "identifiers one bit apart: the session is absent"
        ) {
            $0.savingEach { change in
                let isSmall =
                    switch change {
                    case .put(.session(let id, _)), .put(.tab(_, let id)): id.window.high == 0
                    case .putState(_, let key): key.tab.high == 0
                    default: true
                    }
                return isSmall ? change : nil
            }
        }
        .catches("aliases-tabs", says: "identifiers one bit apart: the session differs") {
            $0.on(RestoreRequest.self) { restore, store in
                var found: [RestoredSession] = []
                for id in restore.ids {
                    let high = id.window.high
                    let alias = WindowID(high: high == 1 ? 0 : high, low: id.window.low)
                    let other = SessionID(window: alias, kind: id.kind)
                    guard var session = try await store.restore(other, at: restore.version)
                    else { continue }
                    session.id = id
                    found.append(session)
                }
                return found
            }
        }
        SuiteEntry(
            "RESTORE-6", .must,
            "Fields of a newer version, which this one does not know, come back as saved."
        )
        .tried("a tab with two unknown fields") { context in
            let session = try ExtremeValues.unknownFields()
            try await context.reopeningIfPossible { store in
                _ = try await store.save(session.changes)
            } check: { store in
                try await session.check(in: store, "a tab with unknown fields")
            }
        }
        .catches("loses-unknown-fields", says: "differs in unknownFields") {
            $0.puttingTabs { tab in
                tab = TabMetadata(
                    id: tab.id, place: tab.place, url: tab.url, title: tab.title,
                    faviconURL: tab.faviconURL, createdAt: tab.createdAt,
                    lastActiveAt: tab.lastActiveAt,
                    navigationItemCount: tab.navigationItemCount, isPinned: tab.isPinned,
                    group: tab.group, opener: tab.opener, properties: tab.properties)
            }
        }
        .catches("loses-unknown-fields-of-openers", says: "differs in opener") {
            $0.puttingTabs { tab in
                tab.opener = tab.opener.map {
                    TabOpener(tab: $0.tab, navigationIndex: $0.navigationIndex)
                }
            }
        }
    }

    /// Windows with identifiers that differ in one bit or two, or in the order of their bytes. The tab of
    /// each, and its state, have the same bits, which must not matter either.
    private static let similarIdentifiers = {
        let words: [(UInt64, UInt64)] =
            [(0, 0), (.max, .max)] + (0..<64).flatMap { [(1 << $0, 0), (0, 1 << $0)] }
        let places = OrderKey.evenlySpaced(count: words.count)
        var changes = SessionChanges()
        var windows: [ExpectedSession] = []
        var states: [TabStateKey: [UInt8]] = [:]
        for (number, word) in words.enumerated() {
            let tab = TabMetadata(
                id: TabID(high: word.0, low: word.1), place: places[number], title: "\(number)")
            let id = SessionID(window: WindowID(high: word.0, low: word.1))
            let window = ExpectedSession(
                id: id, attributes: SessionAttributes(title: "\(number)"), tabs: [tab])
            for change in window.changes.changes { changes.add(change) }
            windows.append(window)
            states[TabStateKey(tab: tab.id, name: .native, in: id)] = tab.id.bytes
        }
        for (key, bytes) in states { changes.put(bytes, for: key) }
        return (changes: changes, windows: windows, states: states)
    }()

    private static func checkIdentifiers(in store: any SessionStorage) async throws {
        let (_, windows, states) = similarIdentifiers
        for window in windows { try await window.check(in: store, "identifiers one bit apart") }
        try requireEqual(
            try await store.sessions(), windows.map(\.id).sorted(), "the sessions one bit apart")
        try await requireStates(states, in: store, "states of tabs one bit apart")
    }
}
