import BrowserSessions

/// What a store shows, without what the contract leaves open. Two stores that received the same
/// calls show the same.
struct ModelView: Equatable, Sendable {
    var sessions: [RestoredSession] = []
    var keys: [[TabStateKey]] = []
    var blobs: [TabStateKey: [UInt8]] = [:]
    var sequence: UInt64 = 0
}

extension StoreModel {
    /// Reads everything; throws a ``Violation`` at the first difference. From then on, what the
    /// contract leaves open is as it was found.
    mutating func compare(with store: any SessionStorage) async throws -> ModelView {
        var view = ModelView()
        try requireEqual(
            try await store.sessions().map(ModelNames.short), sessions.map(ModelNames.short),
            "the sessions")
        for id in ModelNames.sessions {
            if let found = try await compare(id, with: store) { view.sessions.append(found) }
        }
        view.blobs = try await compareBlobs(with: store)
        for id in ModelNames.sessions {
            view.keys.append(try await compareKeys(of: id, with: store))
        }
        for id in ModelNames.sessions { try await compareEarlier(id, with: store) }
        let receipt = try await store.save(
            SessionChanges(), durability: min(.processCrash, store.traits.greatestDurability))
        try requireEqual(
            receipt.sequence, sequences[.regular] ?? receipt.sequence, "the number of the last set")
        learn(receipt.sequence, in: .regular)
        view.sequence = receipt.sequence
        return view
    }

    private func compare(_ id: SessionID, with store: any SessionStorage) async throws
        -> RestoredSession?
    {
        let name = ModelNames.short(id)
        let found = try await store.restore(id)
        guard let expected = session(id) else {
            try require(found == nil, "\(name) is there, and the model has none")
            return nil
        }
        let restored = try unwrap(found, "\(name) is absent")
        try requireEqual(restored.provenance, .intact, "the provenance of \(name)")
        try requireEqual(restored.losses.count, 0, "the number of losses of \(name)")
        try expected.checkRepaired(restored, name)
        return restored
    }

    /// Compares all blobs in one read, and one by itself.
    private func compareBlobs(with store: any SessionStorage) async throws
        -> [TabStateKey: [UInt8]]
    {
        let found = try await store.states(of: ModelNames.keys)
        for key in ModelNames.keys {
            let name = ModelNames.short(key)
            guard let expected = blobs[key] else {
                try require(found[key] == nil, "the blob \(name) is there, and the model has none")
                continue
            }
            let bytes = try unwrap(found[key], "the blob \(name) is absent")
            try requireEqual(bytes.count, expected.count, "the size of the blob \(name)")
            try require(bytes == expected, "the blob \(name) has other bytes")
        }
        let one = ModelNames.keys[Int((sequences[.regular] ?? 0) % UInt64(ModelNames.keys.count))]
        try require(
            try await store.state(of: one) == found[one],
            "the blob \(ModelNames.short(one)), read by itself, is another")
        return found
    }

    private func compareKeys(of id: SessionID, with store: any SessionStorage) async throws
        -> [TabStateKey]
    {
        let own = ModelNames.keys(in: id.partition).filter { home(of: $0) == id }
        let expected = own.filter { blobs[$0] != nil }
            .sorted { ($0.tab, $0.name.rawValue) < ($1.tab, $1.name.rawValue) }
        let found = try await store.stateKeys(in: id)
        try requireEqual(
            found.map(ModelNames.short), expected.map(ModelNames.short),
            "the keys of \(ModelNames.short(id))")
        return found
    }

    // MARK: - Repairs

    /// Adopts how a put repaired lists that broke a rule, if it did.
    mutating func adoptRepairs(of store: any SessionStorage) async throws {
        for id in sessions {
            guard let broken = session(id), !broken.obeysTheRules else { continue }
            let name = ModelNames.short(id)
            let found = try unwrap(try await store.restore(id), "\(name) is absent")
            guard found.repairs.isEmpty else { continue }
            try broken.checkBare(found, name)
            try require(
                ExpectedSession(
                    id: id, attributes: found.attributes, tabs: found.tabs, nodes: found.nodes
                ).obeysTheRules, "\(name) was repaired, and still breaks a rule")
            adopt(found)
        }
    }

    // MARK: - Restore points

    /// Compares a session at the newest restore point of an opening with what it was then.
    private func compareEarlier(_ id: SessionID, with store: any SessionStorage) async throws {
        guard keepsRestorePoints, id.partition == .regular else { return }
        let subject = "\(ModelNames.short(id)) at the restore point"
        let moment = lastOpening
        let points = try await store.restorePoints()
        guard let point = points.first(where: { $0.reason == .opening }) else {
            return try require(moment.sessions[id] == nil, "\(subject) is absent")
        }
        let found = try await store.restore(id, at: .point(point.id))
        guard let expected = moment.sessions[id] else {
            return try require(found == nil, "\(subject) is there, and the model has none")
        }
        let session = try unwrap(found, "\(subject) is absent")
        try requireEqual(session.provenance, .restorePoint, "the provenance of \(subject)")
        try expected.checkRepaired(session, subject)
        try await compareStates(of: session, at: moment, point.id, subject, with: store)
    }

    private func compareStates(
        of session: RestoredSession, at moment: Moment, _ point: RestorePointID,
        _ subject: String, with store: any SessionStorage
    ) async throws {
        let tabs = Set(session.tabs.map(\.id))
        let expected = moment.blobs.filter { tabs.contains($0.key.tab) }
        let keys = ModelNames.keys(in: .regular).filter { tabs.contains($0.tab) }
        let found = try await store.states(of: keys, at: .point(point))
        try require(found == expected, "\(subject) has other states of its tabs")
        let listed = try await store.stateKeys(in: session.id, at: .point(point))
        try require(
            Set(listed) == Set(expected.keys), "\(subject) has other keys of states than states")
    }
}

extension ExpectedSession {
    /// Throws a ``Violation`` unless this was restored. Compares only what no repair touches if a
    /// list breaks a rule.
    fileprivate func checkRepaired(_ found: RestoredSession, _ subject: String) throws {
        try requireEqual(
            found.repairs.isEmpty, obeysTheRules, "whether \(subject) needed no repairs")
        if obeysTheRules { try check(found, subject) } else { try checkBare(found, subject) }
    }

    fileprivate func checkBare(_ found: RestoredSession, _ subject: String) throws {
        var (bare, other) = (self, found)
        bare.attributes.forgetTies()
        other.attributes.forgetTies()
        for index in bare.tabs.indices { bare.tabs[index].forgetTies() }
        for index in other.tabs.indices { other.tabs[index].forgetTies() }
        if !ModelForest(tabs: tabs, nodes: nodes, in: id).obeysTheRules {
            bare.tabs.forgetOrder()
            other.tabs.forgetOrder()
            (bare.nodes, other.nodes) = try nodesWithoutRepairs(found.nodes, subject)
        }
        try bare.check(other, subject)
    }

    /// Whether the openers and the active tab are those of the tabs, and the forest breaks no rule.
    fileprivate var obeysTheRules: Bool {
        let ids = Set(tabs.map(\.id))
        let openers = tabs.allSatisfy { tab in
            tab.opener.map { $0.tab != tab.id && ids.contains($0.tab) } ?? true
        }
        guard openers, attributes.activeTab.map(ids.contains) ?? true else { return false }
        return ModelForest(tabs: tabs, nodes: nodes, in: id).obeysTheRules
    }
}

extension TabMetadata {
    fileprivate mutating func forgetTies() {
        group = nil
        opener = nil
    }
}

extension SessionAttributes {
    fileprivate mutating func forgetTies() {
        activeTab = nil
    }
}
