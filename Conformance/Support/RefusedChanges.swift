import BrowserSessions

/// A set that every store must refuse.
struct RefusedChanges: Sendable {
    var name: String
    var code: StorageError.Code
    var changes: SessionChanges
    /// The new session, which must leave nothing in the store.
    var session: SessionID

    /// Returns one set for every reason to refuse.
    ///
    /// - Parameters:
    ///   - samples: sessions that are not in the store, one for each set; see ``count``.
    ///   - limit: the most bytes of one blob.
    static func all(_ samples: [SessionSnapshot], limit: Int) -> [RefusedChanges] {
        let makers = [
            twice, putAndRemoved, moved, bothPartitions, tooLarge(limit), longPlace, conflict,
            circle, longPlaceOfNode,
        ]
        return zip(makers, samples).map { make, sample in make(sample) }
    }

    /// The number of sets that ``all(_:limit:)`` returns.
    static let count = 9

    private static func twice(_ sample: SessionSnapshot) -> RefusedChanges {
        var changes = SessionChanges(saving: sample)
        changes.put(sample.attributes, for: sample.id)
        return RefusedChanges(
            name: "a session twice", code: .invalidChanges, changes: changes, session: sample.id)
    }

    private static func putAndRemoved(_ sample: SessionSnapshot) -> RefusedChanges {
        var changes = SessionChanges(saving: sample)
        for tab in sample.tabs { changes.remove(tab.metadata.id, from: sample.id) }
        return RefusedChanges(
            name: "tabs put and removed", code: .invalidChanges, changes: changes,
            session: sample.id)
    }

    private static func moved(_ sample: SessionSnapshot) -> RefusedChanges {
        var changes = SessionChanges(saving: sample)
        let other = SessionID(window: sample.id.window, kind: .setAside)
        for tab in sample.tabs { changes.put(tab.metadata, in: other) }
        return RefusedChanges(
            name: "a tab in two sessions", code: .invalidChanges, changes: changes,
            session: sample.id)
    }

    private static func bothPartitions(_ sample: SessionSnapshot) -> RefusedChanges {
        var changes = SessionChanges(saving: sample)
        let kind: SessionKind = sample.id.partition == .regular ? .incognito : .regular
        changes.put(sample.attributes, for: SessionID(window: sample.id.window, kind: kind))
        return RefusedChanges(
            name: "both partitions", code: .invalidChanges, changes: changes, session: sample.id)
    }

    private static func tooLarge(_ limit: Int) -> (SessionSnapshot) -> RefusedChanges {
        { sample in
            var changes = SessionChanges(saving: sample)
            let tab = sample.tabs.first?.metadata.id ?? TabID(high: 1, low: 1)
            let seed = sample.tabs.first?.states[.native] ?? []
            let bytes = seed + [UInt8](repeating: 7, count: max(0, limit + 1 - seed.count))
            if let name = StateName(rawValue: "large") {
                changes.put(bytes, for: TabStateKey(tab: tab, name: name, in: sample.id))
            }
            return RefusedChanges(
                name: "a blob over the limit", code: .tooLarge, changes: changes,
                session: sample.id)
        }
    }

    private static func longPlace(_ sample: SessionSnapshot) -> RefusedChanges {
        var sample = sample
        let bytes = [UInt8](repeating: 2, count: OrderKey.maximumLength + 1)
        if let place = OrderKey(bytes: bytes), let last = sample.tabs.indices.last {
            sample.tabs[last].metadata.place = place
        }
        return RefusedChanges(
            name: "a place over the limit", code: .tooLarge,
            changes: SessionChanges(saving: sample), session: sample.id)
    }

    private static func conflict(_ sample: SessionSnapshot) -> RefusedChanges {
        var changes = SessionChanges(saving: sample)
        changes.expectedSequence = 1 << 40
        return RefusedChanges(
            name: "another sequence number", code: .conflict, changes: changes, session: sample.id)
    }

    private static func circle(_ sample: SessionSnapshot) -> RefusedChanges {
        var sample = sample
        if sample.nodes.isEmpty {
            sample.nodes = [StructureNode(id: NodeID(high: 3, low: 3), .group, place: .middle)]
        }
        sample.nodes[0].parent = sample.nodes[0].id
        return RefusedChanges(
            name: "a node below itself", code: .invalidChanges,
            changes: SessionChanges(saving: sample), session: sample.id)
    }

    private static func longPlaceOfNode(_ sample: SessionSnapshot) -> RefusedChanges {
        var changes = SessionChanges(saving: sample)
        var node = sample.nodes.last ?? StructureNode(.group, place: .middle)
        node.id = NodeID(high: 3, low: 4)
        let bytes = [UInt8](repeating: 2, count: OrderKey.maximumLength + 1)
        node.place = OrderKey(bytes: bytes) ?? node.place
        changes.put(node, in: sample.id)
        return RefusedChanges(
            name: "a place of a node over the limit", code: .tooLarge, changes: changes,
            session: sample.id)
    }
}
