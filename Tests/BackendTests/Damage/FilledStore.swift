import BrowserSessions
import SessionSamples
import TestSupport

/// A store that was used for a while: four sessions, about 60 tabs with state, and two runs.
struct FilledStore: Sendable {
    let folder: TemporaryFolder
    let subject: Subject
    private(set) var saved = SavedHistory()
    /// The partitions' sequence numbers at the end of the first run.
    private(set) var closedAt: [StoragePartition: Int] = [:]

    var path: String { folder.file("profile") }

    /// - Parameter isClosed: whether the second run was closed; otherwise it was killed.
    init(_ subject: Subject, isClosed: Bool, seed: UInt64 = 1) async throws {
        folder = TemporaryFolder(inMemory: true)
        self.subject = subject
        var sampler = SessionSampler(seed: seed)
        var store = try await subject.open(folder)
        let state = SampleState.blobs(300...2000)
        var regular = [
            sampler.window(tabs: 25, state: state), sampler.window(tabs: 15, state: state),
            sampler.window(tabs: 8, kind: .recentlyClosed, state: state),
        ]
        var incognito = [sampler.window(tabs: 12, kind: .incognito, state: state)]
        try await save(SessionEdit(.openWindow, from: [], to: regular), in: store)
        try await save(SessionEdit(.openWindow, from: [], to: incognito), in: store)
        regular = try await edit(regular, times: 8, &sampler, in: store)
        incognito = try await edit(incognito, times: 3, &sampler, in: store)
        try await store.close()
        closedAt = saved.history.mapValues { $0.count - 1 }

        store = try await subject.open(folder)
        regular = try await edit(regular, times: 8, &sampler, in: store)
        incognito = try await edit(incognito, times: 4, &sampler, in: store)
        if isClosed { try await store.close() } else { try await folder.kill(store) }
    }

    private mutating func edit(
        _ sessions: [SessionSnapshot], times: Int, _ sampler: inout SessionSampler,
        in store: any SessionStorage
    ) async throws -> [SessionSnapshot] {
        var sessions = sessions
        let kinds: [SessionEdit.Kind] = [
            .insert, .close, .move, .activate, .pin, .group, .navigate, .moveToWindow,
        ]
        for _ in 1...times {
            var edit = sampler.randomEdit(of: sessions, kinds: kinds)
            edit.addLargeState(&sampler.generator)
            try await save(edit, in: store)
            sessions = edit.expected
        }
        return sessions
    }

    private mutating func save(_ edit: SessionEdit, in store: any SessionStorage) async throws {
        _ = try await store.save(edit.changes)
        saved.note(edit.changes, edit.expected)
    }
}

extension SessionEdit {
    /// A blob larger than a sector, so that one damaged sector hits at most two sets.
    fileprivate mutating func addLargeState(_ generator: inout SeededGenerator) {
        guard let name = StateName(rawValue: "form") else { return }
        let changed = Set(changes.changes.compactMap(\.stateKey))
        for session in expected.indices where !expected[session].tabs.isEmpty {
            let tab = generator.integer(in: 0...expected[session].tabs.count - 1)
            let snapshot = expected[session]
            let key = TabStateKey(
                tab: snapshot.tabs[tab].metadata.id, name: name, in: snapshot.id)
            guard !changed.contains(key) else { continue }
            let blob = (0..<900).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            expected[session].tabs[tab].states[name] = blob
            changes.put(blob, for: key)
            return
        }
    }
}

extension SessionChanges.Change {
    fileprivate var stateKey: TabStateKey? {
        switch self {
        case .putState(_, let key), .removeState(let key): key
        default: nil
        }
    }
}
