import BrowserSessions

/// A store with visits to a site in everything that keeps visits, and what is left when it is forgotten.
enum ForgetCases {
    /// The site, and the words by which it is found in files.
    private static let host = "canary-c9q7w2.example"
    private static let words = [host, "Canarysecretpage"]

    private static let open = Plain.session(1)
    private static let closed = Plain.session(2, .recentlyClosed)
    private static let inactive = Plain.session(1, .inactive)
    private static let closedWindow = Plain.session(9)
    private static let sites = ["https://www.\(host)/whatever"]

    private static func secret(_ number: Int) -> TabMetadata {
        var tab = Plain.tab(number, title: "Canarysecretpage \(number)")
        tab.url = "https://user@WWW.\(host.uppercased()):8080/\(number)"
        tab.faviconURL = "https://\(host)/icon.png"
        return tab
    }

    /// A tab that was on the site, and is elsewhere.
    private static let passedBy: TabMetadata = {
        var tab = Plain.tab(3)
        tab.faviconURL = "https://cdn.\(host)/icon.png"
        tab.properties = ["from": "https://\(host)/", "kept": "value"]
        tab.navigationItemCount = 3
        return tab
    }()

    private static func history(_ entries: [(url: String, title: String)], current: Int)
        -> NavigationHistory
    {
        NavigationHistory(
            entries: entries.map { entry in
                NavigationEntry(
                    url: entry.url, title: entry.title,
                    referrer: entry.url.contains(host) ? "" : "https://\(host)/before")
            }, currentIndex: current)
    }

    private static let page = (url: "https://example.org/page/3", title: "Page 3")
    private static let secretPage = (url: "https://a.\(host)/x", title: "Canarysecretpage")

    /// What the history of ``passedBy`` is afterwards.
    private static let expected = NavigationHistory(
        entries: [
            NavigationEntry(url: "https://example.org/before", title: "Before"),
            NavigationEntry(url: page.url, title: page.title),
        ], currentIndex: 1)

    /// Returns a text in UTF-16.
    private static func wide(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private static func fill(_ store: any SessionStorage) async throws {
        var changes = SessionChanges()
        changes.put(
            SessionAttributes(title: "Open", properties: ["last": "https://\(host)/"]), for: open)
        var group = Plain.node(70, at: 70)
        group.properties = ["from": host, "kept": "value"]
        changes.put(group, in: open)
        changes.put(SessionAttributes(title: "Closed"), for: closed)
        changes.put(passedBy, in: open)
        changes.put(
            history([("https://example.org/before", "Before"), secretPage, page], current: 2)
                .encoded(), for: Plain.key(3))
        changes.put(Array("native of \(host)".utf8), for: Plain.key(3, .native))
        changes.put(Plain.tab(4), in: open)
        changes.put(Array("native of another".utf8), for: Plain.key(4, .native))
        changes.put(secret(5), in: closed)
        changes.put(Plain.tab(6), in: closed)
        for (number, url) in [(5, secretPage), (6, page)] {
            changes.put(history([url], current: 0).encoded(), for: Plain.key(number))
        }
        changes.put(Array("native of \(host)".utf8), for: Plain.key(5, .native))
        // Tabs elsewhere, with bytes that no store reads: an engine's, and no history.
        for number in 7...8 { changes.put(Plain.tab(number), in: open) }
        changes.put(wide("native of https://\(host)/"), for: Plain.key(7, .native))
        changes.put([0xFF] + Array("u=https%3A%2F%2F\(host)%2F".utf8), for: Plain.key(7))
        _ = try await store.save(changes)
    }

    /// A store with three restore points in which the site is in different places.
    private static func prepare(_ context: CaseContext, _ location: String) async throws
        -> [RestorePoint]
    {
        try await context.withStore(at: location) { store in
            try await fill(store)
            _ = try await store.takeRestorePoint(name: "first", pinned: false)
            // At the second point, another tab was on the site.
            var moved = SessionChanges()
            moved.put(Array("A:\(host.uppercased()):80".utf8), for: Plain.key(8, .native))
            moved.put(secret(4), in: open)
            moved.put(history([secretPage], current: 0).encoded(), for: Plain.key(4))
            _ = try await store.save(moved)
            _ = try await store.takeRestorePoint(name: "second", pinned: false)
            var back = SessionChanges()
            back.put(Array("native of nothing".utf8), for: Plain.key(8, .native))
            back.put(Plain.tab(4), in: open)
            back.put(history([page], current: 0).encoded(), for: Plain.key(4))
            _ = try await store.save(back)
        }
        var points: [RestorePoint] = []
        try await context.withStore(at: location) { points = try await $0.restorePoints() }
        try requireEqual(points.count, 3, "the restore points before")
        return points
    }

    // MARK: - What the store gives back

    /// What names other hosts that are written alike, and stays.
    private static let alike = Array("https://not\(host)/ \(host).other.test".utf8)

    @Sendable static func everywhere(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let points = try await prepare(context, location)
        try await context.withStore(at: location) { store in
            var changes = SessionChanges()
            changes.put(alike, for: Plain.key(6, .native))
            _ = try await store.save(changes)
            let before = try await StoreContent.read(store)
            let tried = try await store.erase(
                .sites(try ForgottenSites(sites), isDryRun: true))
            try require(
                try await StoreContent.read(store) == before, "a dry run changed something")
            let receipt = try await store.erase(.sites(try ForgottenSites(sites)))
            try requireEqual(receipt, tried, "the receipt, and that of the dry run")
            try requireEqual(receipt.closedTabs, 1, "the closed tabs that were forgotten")
            try requireEqual(receipt.earlierTabs, 2, "the tabs that restore points had")
            try requireEqual(receipt.openTabs, 0, "the open tabs that show the site")
            try await requireForgotten(store, points)
            let again = try await store.erase(.sites(try ForgottenSites(sites)))
            try requireEqual(again, ForgettingReceipt(), "the receipt of a second call")
        }
        try await context.withStore(at: location) { store in
            try await requireForgotten(store, points)
            for point in points { try await store.releaseRestorePoint(point.id) }
            try require(try await store.check().isHealthy, "something reads as damage")
        }
    }

    private static func requireForgotten(
        _ store: any SessionStorage, _ points: [RestorePoint]
    ) async throws {
        try require(try await store.check().isHealthy, "something reads as damage")
        try await requireForgotten(store, .current, "now")
        try require(
            try await store.state(of: Plain.key(6, .native)) == alike,
            "what names another host is gone")
        // The next opening takes another one.
        let kept = try await store.restorePoints().map(\.id)
        let ids = points.map(\.id)
        try requireEqual(kept.filter(ids.contains), ids, "the restore points that stay")
        for point in points {
            try await requireForgotten(
                store, .point(point.id), "at the restore point '\(point.name)'")
        }
    }

    /// Returns what is to be read in bytes, also if they are a text in UTF-16.
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }

    private static func requireForgotten(
        _ store: any SessionStorage, _ version: SessionVersion, _ moment: String
    ) async throws {
        var found: [TabID] = []
        for id in try await store.sessions(at: version) {
            let session = try unwrap(
                try await store.restore(id, at: version), "\(moment) a session is absent")
            try requireEqual(session.losses.count, 0, "\(moment) the losses of a session")
            let keys = try await store.stateKeys(in: id, at: version)
            let states = try await store.states(of: keys, at: version)
            let texts = states.filter { $0.value != alike }.values.map(text)
            for value in ["\(session)"] + texts {
                for word in words where value.lowercased().contains(word.lowercased()) {
                    throw Violation("\(moment) a session or a state shows what was to be forgotten")
                }
            }
            found += session.tabs.map(\.id)
        }
        let isSecond = moment.contains("second")
        let left = [3, 4, 6, 7, 8].filter { $0 != 4 || !isSecond }.map { Plain.tab($0).id }
        try requireEqual(found.sorted(), left.sorted(), "\(moment) the tabs that are left")
        let bytes = try unwrap(
            try await store.state(of: Plain.key(3), at: version), "\(moment) a history is gone")
        try require(
            try NavigationHistory(encoded: bytes) == expected,
            "\(moment) the history of a tab that stays is not as it was elsewhere")
    }

    // MARK: - Since when, and what is open

    @Sendable static func recentAndOpen(_ context: CaseContext) async throws {
        try await context.withNewStore { store in
            var (old, recent) = (secret(1), secret(2))
            old.lastActiveAt = Timestamp(microseconds: 1000)
            recent.lastActiveAt = Timestamp(microseconds: 3000)
            var changes = SessionChanges()
            for tab in [old, recent] { changes.put(tab, in: closed) }
            changes.put(secret(4), in: inactive)
            changes.put(secret(5), in: closedWindow)
            var attributes = SessionAttributes(title: "Closed")
            attributes.closedAt = Timestamp(microseconds: 2500)
            changes.put(attributes, for: closedWindow)
            changes.put(secret(3), in: open)
            changes.put(
                history([page, secretPage, secretPage], current: 1).encoded(), for: Plain.key(3))
            _ = try await store.save(changes)
            let receipt = try await store.erase(
                .sites(try ForgottenSites([host], since: Timestamp(microseconds: 2000))))
            try requireEqual(receipt.closedTabs, 3, "the tabs that were forgotten")
            for (session, name) in [(inactive, "inactive tabs"), (closedWindow, "closed windows")] {
                let left = try await store.restore(session)?.tabs.count ?? 0
                try requireEqual(left, 0, "the tabs on the site among the \(name)")
            }
            try requireEqual(receipt.openTabs, 1, "the open tabs that show the site")
            try requireEqual(
                try await store.restore(closed)?.tabs.map(\.id) ?? [], [old.id],
                "what was visited before that")
            try requireEqual(
                try await store.restore(open)?.tabs.map(\.url) ?? [], [secret(3).url],
                "the open tab")
            let bytes = try unwrap(try await store.state(of: Plain.key(3)), "its history is gone")
            let history = try NavigationHistory(encoded: bytes)
            try requireEqual(
                history.entries.map(\.url), [page.url, secretPage.url], "its history")
            try requireEqual(history.currentIndex, 1, "what it shows")
        }
    }

    // MARK: - Files

    @Sendable static func files(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        _ = try await prepare(context, location)
        let store = try await context.open(location)
        _ = try await store.erase(.sites(try ForgottenSites(sites)))
        try requireNoWord(below: location, "after forget")
        try await store.close()
        try requireNoWord(below: location, "after closing")
        try await context.withStore(at: location) { _ in
            try requireNoWord(below: location, "at the next opening")
        }
    }

    private static func requireNoWord(below location: String, _ moment: String) throws {
        for word in (words + [host.uppercased()]).map({ Array($0.utf8) }) + [wide(host)] {
            let found = try LocationFiles(location).paths(holding: [word])
            try require(
                found.isEmpty, "\(moment) \(found.count) files have what was to be forgotten")
        }
    }
}
