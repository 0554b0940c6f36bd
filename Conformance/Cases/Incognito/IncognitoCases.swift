import BrowserSessions
import SessionSamples

/// The cases about incognito sessions that use only the interface.
enum IncognitoCases {
    /// Saves a regular window and its incognito counterpart with the same tabs in a new store.
    private static func twins(_ context: CaseContext, _ store: any SessionStorage) async throws
        -> (regular: SessionSnapshot, incognito: SessionSnapshot)
    {
        var sampler = context.sampler
        let regular = sampler.window(tabs: 6, state: .blobs(50...400))
        var incognito = regular
        incognito.id = SessionID(window: regular.id.window, kind: .incognito)
        incognito.attributes.title = "the other partition"
        for index in incognito.tabs.indices {
            incognito.tabs[index].metadata.title += " in incognito"
            incognito.tabs[index].states[.native] = [UInt8](repeating: UInt8(index), count: 90)
        }
        _ = try await store.save(regular.creation)
        _ = try await store.save(incognito.creation)
        return (regular, incognito)
    }

    private static func expect(
        _ snapshots: [SessionSnapshot], in store: any SessionStorage, _ moment: String
    ) async throws {
        let found = try await StoreContent.read(store)
        for partition in StoragePartition.allCases {
            let expected = snapshots.filter { $0.id.partition == partition }
            let listed = Set(found.sessions.keys.filter { $0.partition == partition })
            try require(
                listed == Set(expected.map(\.id)),
                "\(moment): the \(partition.rawValue) partition lists \(listed.count) sessions, "
                    + "and not the \(expected.count) that are expected")
        }
        try require(
            found == StoreContent(snapshots),
            "\(moment): sessions, tabs or state differ from what was saved")
    }

    @Sendable static func sameIdentifiers(_ context: CaseContext) async throws {
        let store = try await context.openNew()
        let (regular, incognito) = try await twins(context, store)
        try await expect([regular, incognito], in: store, "after saving both partitions")
        try await store.close()
    }

    @Sendable static func removedTab(_ context: CaseContext) async throws {
        for removesRegular in [true, false] {
            let store = try await context.openNew()
            var (regular, incognito) = try await twins(context, store)
            let id = removesRegular ? regular.id : incognito.id
            let last = regular.tabs.count - 1
            let first = regular.tabs.firstIndex { $0.states[.native] != nil } ?? 0
            let stateOwner = regular.tabs[first].metadata.id
            var changes = SessionChanges()
            // The last tab of the window opened none.
            changes.remove(regular.tabs[last].metadata.id, from: id)
            changes.remove(TabStateKey(tab: stateOwner, name: .native, in: id))
            var attributes = removesRegular ? regular.attributes : incognito.attributes
            attributes.activeTab = stateOwner
            changes.put(attributes, for: id)
            _ = try await store.save(changes)
            func remove(_ session: inout SessionSnapshot) {
                session.tabs.removeLast()
                session.tabs[first].states[.native] = nil
                session.attributes = attributes
            }
            if removesRegular { remove(&regular) } else { remove(&incognito) }
            try await expect(
                [regular, incognito], in: store, "after removing a tab of one partition")
            try await store.close()
        }
    }

    @Sendable static func removedSession(_ context: CaseContext) async throws {
        for removesRegular in [true, false] {
            let store = try await context.openNew()
            let (regular, incognito) = try await twins(context, store)
            var changes = SessionChanges()
            changes.remove(removesRegular ? regular.id : incognito.id)
            _ = try await store.save(changes)
            try await expect(
                [removesRegular ? incognito : regular], in: store,
                "after removing the session of one partition")
            try await store.close()
        }
    }

    /// Returns sessions of several windows and kinds.
    private static func several(_ context: CaseContext) throws -> [SessionSnapshot] {
        var sampler = context.sampler
        _ = sampler.window(tabs: 1)
        let guest = SessionKind(rawValue: "incognito-guest") ?? .incognito
        return [SessionKind.incognito, guest, .incognito].map { kind in
            sampler.window(tabs: 3, kind: kind, state: .blobs(50...200))
        }
    }

    @Sendable static func deletion(_ context: CaseContext) async throws {
        let store = try await context.openNew()
        let (regular, incognito) = try await twins(context, store)
        for session in try several(context) { _ = try await store.save(session.creation) }
        try await store.deleteIncognito()
        try await expect([regular], in: store, "after the deletion")
        try await requireGone(incognito, from: store, "after the deletion")
        try await store.close()
    }

    private static func requireGone(
        _ session: SessionSnapshot, from store: any SessionStorage, _ moment: String
    ) async throws {
        let restored = try await store.restore(session.id)
        try require(restored == nil, "\(moment): a deleted session can be restored")
        let keys = try await store.stateKeys(in: session.id)
        let blobs = try await store.states(of: [TabStateKey](StoreContent([session]).states.keys))
        try require(
            keys.isEmpty && blobs.isEmpty, "\(moment): the state of a deleted session is there")
    }

    @Sendable static func deletionStays(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var store = try await context.open(location)
        let (regular, incognito) = try await twins(context, store)
        try await store.deleteIncognito()
        for number in 1...2 {
            store = try await context.reopen(store, at: location)
            try await expect([regular], in: store, "at opening \(number) after the deletion")
            try await requireGone(incognito, from: store, "at opening \(number)")
        }
        try await store.close()
    }

    @Sendable static func deletionInLaterRun(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var store = try await context.open(location)
        let (regular, incognito) = try await twins(context, store)
        store = try await context.reopen(store, at: location)
        try await store.deleteIncognito()
        try await requireGone(incognito, from: store, "after a deletion in a later run")
        store = try await context.reopen(store, at: location)
        try await expect([regular], in: store, "at the opening after the deletion")
        try await store.close()
    }

    @Sendable static func nothingToDelete(_ context: CaseContext) async throws {
        let store = try await context.openNew()
        var regular: SessionSnapshot?
        for number in 1...2 {
            for _ in 1...2 {
                try await requireSuccess("a deletion with nothing to delete threw") {
                    try await store.deleteIncognito()
                }
            }
            if number == 1 { regular = try await twins(context, store).regular }
        }
        try await expect([regular].compactMap(\.self), in: store, "after the deletions")
        try await store.close()
    }

    @Sendable static func saveAfterDeletion(_ context: CaseContext) async throws {
        let store = try await context.openNew()
        let (regular, saved) = try await twins(context, store)
        var incognito = saved
        try await store.deleteIncognito()
        incognito.tabs.removeLast(3)
        incognito.attributes.activeTab = incognito.tabs[0].metadata.id
        incognito.nodes = []
        for index in incognito.tabs.indices {
            incognito.tabs[index].states = [:]
            incognito.tabs[index].metadata.group = nil
        }
        _ = try await store.save(incognito.creation)
        try await expect([regular, incognito], in: store, "after a save that followed a deletion")
        try await store.close()
    }

    @Sendable static func lateSave(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let late = try await context.open(location)
        let (regular, incognito) = try await twins(context, late)
        try await late.close()
        var store = try await context.open(location)
        try await store.deleteIncognito()
        try await store.close()
        try await requireError(.closed, from: "a save through the closed store") {
            _ = try await late.save(incognito.creation)
        }
        store = try await context.open(location)
        try await expect([regular], in: store, "after a save through a closed store")
        try await store.close()
    }

    @Sendable static func reopening(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        var store = try await context.open(location)
        let (regular, incognito) = try await twins(context, store)
        for _ in 1...2 {
            store = try await context.reopen(store, at: location)
            try await expect([regular, incognito], in: store, "at the next opening")
        }
        try await store.close()
    }
}
