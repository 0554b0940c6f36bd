import BrowserSessions
import SessionSamples

/// What an erasure of removed data must do, and what it must leave alone.
enum EraseCases {
    // MARK: - What is left in files

    private static func requireNothing(
        _ found: [String], _ what: String, _ moment: String
    ) throws {
        try require(
            found.isEmpty, "\(moment): \(found.count) files hold something of what was \(what)")
    }

    /// Erases, and checks the files at once, after closing, and at the next opening.
    private static func erase(
        _ store: any SessionStorage, at location: String, _ context: CaseContext, _ what: String,
        found: () throws -> [String]
    ) async throws {
        context.note("\(try found().count) files hold something of it before")
        try await store.erase(.removedData)
        try requireNothing(try found(), what, "after an erasure")
        try await store.close()
        try requireNothing(try found(), what, "after closing")
        let next = try await context.open(location)
        try requireNothing(try found(), what, "at the next opening")
        try await next.close()
    }

    /// Saves versions of a session over two runs, and leaves nothing that names its tabs longer.
    private static func use(
        _ canary: ContentCanary, _ location: String, _ context: CaseContext
    ) async throws -> any SessionStorage {
        var sampler = context.sampler
        var store = try await context.open(location)
        _ = try await store.save(sampler.window(tabs: 8, state: .blobs(50...500)).creation)
        for revision in 1...4 {
            if revision == 3 { store = try await context.reopen(store, at: location) }
            var changes = canary.changes(revision: revision)
            changes.commitID = nil
            _ = try await store.save(changes)
        }
        return try await context.reopen(store, at: location)
    }

    private static func remove(_ canary: ContentCanary, from store: any SessionStorage)
        async throws
    {
        var changes = SessionChanges()
        changes.remove(canary.session)
        _ = try await store.save(changes)
    }

    @Sendable static func removedSession(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let canary = try ContentCanary(seed: context.seed, isIncognito: false)
        let store = try await use(canary, location, context)
        try await remove(canary, from: store)
        try await erase(store, at: location, context, "removed") {
            try canary.found(below: location)
        }
    }

    @Sendable static func removedIncognito(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let canary = try ContentCanary(seed: context.seed, isIncognito: true)
        let store = try await use(canary, location, context)
        var sampler = SessionSampler(seed: context.seed &+ 1)
        let other = sampler.window(tabs: 3, kind: .incognito, state: .blobs(50...500))
        _ = try await store.save(other.creation)
        try await remove(canary, from: store)
        try await erase(store, at: location, context, "removed") {
            try canary.found(below: location)
        }
    }

    @Sendable static func removedParts(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var canaries = ContentCanaries(seed: context.seed)
        var gone = canaries.session(tabs: 6)
        let words = canaries.words
        var store = try await context.open(location)
        _ = try await store.save(gone.creation)
        store = try await context.reopen(store, at: location)
        // The tabs go, and so does the state of the one that stays.
        gone.attributes = SessionAttributes(title: "stays")
        let stays = TabMetadata(
            id: gone.tabs[0].metadata.id, place: gone.tabs[0].metadata.place,
            url: "https://example.org/", title: "stays")
        var changes = SessionChanges()
        changes.put(gone.attributes, for: gone.id)
        changes.put(stays, in: gone.id)
        for name in gone.tabs[0].states.keys {
            changes.remove(TabStateKey(tab: stays.id, name: name, in: gone.id))
        }
        for tab in gone.tabs.dropFirst() { changes.remove(tab.metadata.id, from: gone.id) }
        for node in gone.nodes { changes.remove(node.id, from: gone.id) }
        _ = try await store.save(changes)
        try await erase(store, at: location, context, "removed") {
            try LocationFiles(location).paths(holding: words.map { [UInt8]($0.utf8) })
        }
    }

    @Sendable static func replacedFields(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var canaries = ContentCanaries(seed: context.seed)
        let before = canaries.session(tabs: 5)
        let words = canaries.words
        var after = before
        after.attributes = SessionAttributes(title: "later")
        after.nodes = before.nodes.map { StructureNode(id: $0.id, $0.kind, place: $0.place) }
        for index in after.tabs.indices {
            let old = after.tabs[index].metadata
            after.tabs[index] = TabSnapshot(
                metadata: TabMetadata(
                    id: old.id, place: old.place, url: "https://example.org/\(index)",
                    title: "later"),
                states: after.tabs[index].states.mapValues { _ in [1, 2, 3] })
        }
        var store = try await context.open(location)
        _ = try await store.save(before.creation)
        store = try await context.reopen(store, at: location)
        _ = try await store.save(after.creation)
        try await erase(store, at: location, context, "replaced") {
            try LocationFiles(location).paths(holding: words.map { [UInt8]($0.utf8) })
        }
    }

    @Sendable static func setAside(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let canary = try ContentCanary(seed: context.seed, isIncognito: false)
        try await use(canary, location, context).close()
        try ResidueCases.damage(location, filesWith: "regular")
        let store = try await context.open(location)
        guard try await !store.repair().quarantined.isEmpty else {
            throw NotTried("nothing of the damage was set aside")
        }
        try await remove(canary, from: store)
        try await store.erase(.removedData)
        let left = try await store.check().quarantined
        try require(left.isEmpty, "after an erasure \(left.count) things are still set aside")
        try requireNothing(
            try canary.found(below: location), "removed or set aside", "after an erasure")
        try await store.close()
    }

    // MARK: - What the store gives back

    @Sendable static func restorePoints(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var store = try await context.open(location)
        _ = try await store.save(Plain.window(1, tabs: 0..<3).changes)
        store = try await context.reopen(store, at: location)
        _ = try await store.save(Plain.window(1, tabs: 0..<2).changes)
        let id = Plain.session(1)
        let kept = try unwrap(try await store.restorePoints().first, "no restore point is listed")
        try await store.erase(.removedData)
        let listed = try await store.restorePoints().count
        try require(listed == 0, "after an erasure \(listed) restore points are listed")
        try await requireError(.notFound, from: "the restore point that was erased") {
            _ = try await store.restore(id, at: .point(kept.id))
        }
        store = try await context.reopen(store, at: location)
        let next = try unwrap(
            try await store.restoreEarlier(id),
            "the next opening takes no restore point")
        let current = try unwrap(try await store.restore(id), "the session is gone")
        try require(next.tabs == current.tabs, "the next restore point is not what was current")
        try await store.close()
    }

    private static func requireSame(
        _ before: StoreContent, in store: any SessionStorage, _ moment: String
    ) async throws {
        let content = try await StoreContent.read(store)
        try require(content == before, "\(moment) what is current is not as before")
        let report = try await store.check()
        try require(report.isHealthy, "\(moment) something reads as damage")
    }

    @Sendable static func keepsCurrent(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var sampler = context.sampler
        var store = try await context.open(location)
        let windows = [
            sampler.window(tabs: 12, state: .blobs(100...4000)),
            sampler.window(tabs: 5, state: .blobs(100...600)),
            sampler.window(tabs: 6, kind: .incognito, state: .blobs(100...600)),
        ]
        var last: [SaveReceipt] = []
        var changes = SessionChanges()
        for window in windows {
            changes = window.creation
            changes.commitID = .random()
            last.append(try await store.save(changes))
        }
        store = try await context.reopenIfPossible(store, at: location)
        // Also a tab that moved to another session, with its state in the original place.
        let wanderer = windows[0].tabs[3].metadata
        var move = SessionChanges()
        move.put(wanderer, in: windows[1].id)
        move.remove(windows[0].tabs[0].metadata.id, from: windows[0].id)
        let number = try await store.save(move).sequence
        let before = try await StoreContent.read(store)
        for moment in ["after an erasure", "after a second erasure"] {
            try await store.erase(.removedData)
            try await requireSame(before, in: store, moment)
        }
        let repeated = try await store.save(changes)
        try require(
            repeated.wasAlreadyApplied && repeated.sequence == last.last?.sequence,
            "after an erasure a commit id is not known any more")
        let empty = try await store.save(SessionChanges())
        try requireEqual(empty.sequence, number, "the number of the last set after an erasure")
        store = try await context.reopenIfPossible(store, at: location)
        try await requireSame(before, in: store, "at the next opening")
        let later = sampler.window(tabs: 2, state: .blobs(50...60))
        let receipt = try await store.save(later.creation)
        try requireEqual(receipt.sequence, number + 1, "the number of the next set")
        store = try await context.reopenIfPossible(store, at: location)
        let found = try await store.restore(later.id)
        try require(found?.tabs == later.tabs.map(\.metadata), "what was saved later is not there")
        try await store.close()
    }

    @Sendable static func emptyStore(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var store = try await context.open(location)
        try await store.erase(.removedData)
        try await requireSame(StoreContent(), in: store, "after an erasure")
        let window = Plain.window(1, tabs: 0..<2)
        _ = try await store.save(window.changes)
        store = try await context.reopenIfPossible(store, at: location)
        try await window.check(in: store, "what was saved after an erasure")
        try await store.close()
    }

    // MARK: - Damage

    @Sendable static func refusesDamage(_ damage: FileDamage, _ context: CaseContext)
        async throws
    {
        var refused = 0
        try await DamageTrial.each(damage, context) { trial in
            let before = try await DamagedContent(trial)
            let isOfPoints = before.report.losses.allSatisfy { $0.kind == .restorePoint }
            if before.report.isHealthy || isOfPoints, before.report.incognitoProblem == nil {
                return
            }
            refused += 1
            try await requireError(.corrupted, from: "\(trial.what): erasing") {
                try await trial.store.erase(.removedData)
            }
            let after = try await DamagedContent(trial)
            try require(
                after.ids == before.ids && after.sessions == before.sessions
                    && after.states == before.states && after.report.losses == before.report.losses
                    && after.report.quarantined == before.report.quarantined,
                "\(trial.what): after a refused erasure the store is not as before")
            _ = try await trial.store.repair()
            let repaired = try await StoreContent.read(trial.store)
            try await trial.store.erase(.removedData)
            try await requireSame(repaired, in: trial.store, "\(trial.what): after a repair")
        }
        if refused == 0 { throw NotTried("no damage cost anything") }
    }
}
