import BrowserSessions
import SessionSamples

/// A closed store that was used for two runs, and everything that was ever saved to it.
struct UsedStore: Sendable {
    let location: String
    private(set) var current: [SessionSnapshot] = []
    private(set) var tabs: [TabID: Set<TabMetadata>] = [:]
    private(set) var nodes: [NodeID: Set<StructureNode>] = [:]
    private(set) var attributes: [SessionID: Set<SessionAttributes>] = [:]
    private(set) var states: [TabStateKey: Set<[UInt8]>] = [:]

    init(_ context: CaseContext) async throws {
        location = try await context.makeLocation("sound")
        var sampler = context.sampler
        current = [
            sampler.window(tabs: 12, state: .blobs(100...600)),
            sampler.window(tabs: 5, state: .blobs(100...600)),
            sampler.window(tabs: 6, kind: .incognito, state: .blobs(100...600)),
        ]
        // Closing makes all of it durable.
        let durability = context.traits.durability.min() ?? .memory
        for run in 1...2 {
            let store = try await context.open(location)
            for index in current.indices {
                if run == 2 { edit(&current[index]) }
                try await save(current[index], in: store, durability)
            }
            try await store.close()
        }
    }

    private func edit(_ session: inout SessionSnapshot) {
        session.attributes.properties["run"] = "2"
        for index in session.nodes.indices { session.nodes[index].name += " later" }
        for index in session.tabs.indices where index.isMultiple(of: 3) {
            session.tabs[index].metadata.title += " later"
            session.tabs[index].states[.native] = [UInt8](repeating: UInt8(index), count: 300)
        }
    }

    /// The tabs of each set: few, so that no set holds much.
    static let tabsOfSet = 3

    private mutating func save(
        _ session: SessionSnapshot, in store: any SessionStorage,
        _ durability: Durability
    ) async throws {
        attributes[session.id, default: []].insert(session.attributes)
        var changes = SessionChanges()
        changes.put(session.attributes, for: session.id)
        for node in session.nodes {
            nodes[node.id, default: []].insert(node)
            changes.put(node, in: session.id)
        }
        for (index, tab) in session.tabs.enumerated() {
            tabs[tab.metadata.id, default: []].insert(tab.metadata)
            changes.put(tab.metadata, in: session.id)
            for (name, bytes) in tab.states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let key = TabStateKey(tab: tab.metadata.id, name: name, in: session.id)
                states[key, default: []].insert(bytes)
                changes.put(bytes, for: key)
            }
            if (index + 1).isMultiple(of: Self.tabsOfSet) {
                _ = try await store.save(changes, durability: durability)
                changes = SessionChanges()
            }
        }
        _ = try await store.save(changes, durability: durability)
    }

    func sessions(of partition: StoragePartition) -> [SessionSnapshot] {
        current.filter { $0.id.partition == partition }
    }
}
