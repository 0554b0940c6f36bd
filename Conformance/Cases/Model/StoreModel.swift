import BrowserSessions

/// What a store must hold according to the contract alone: dictionaries in memory.
///
/// Where the contract leaves an answer open, the model says so, and adopts what it finds.
struct StoreModel: Sendable {
    struct Home: Sendable {
        var session: SessionID
        var tab: TabMetadata
    }

    /// A node that is no tab, with its session.
    struct NodeHome: Sendable {
        var session: SessionID
        var node: StructureNode
    }

    private struct Commit: Sendable {
        var partition: StoragePartition
        /// The number of its set, if known.
        var sequence: UInt64?
        /// Whether the store may have forgotten it.
        var isDoubtful = false
    }

    /// All regular sessions at a moment, and the states of their tabs.
    struct Moment: Sendable {
        var sessions: [SessionID: ExpectedSession] = [:]
        var blobs: [TabStateKey: [UInt8]] = [:]
    }

    let keepsRestorePoints: Bool
    private var attributes: [SessionID: SessionAttributes] = [:]
    private(set) var homes: [StoragePartition: [TabID: Home]] = [:]
    private(set) var nodes: [StoragePartition: [NodeID: NodeHome]] = [:]
    private(set) var blobs: [TabStateKey: [UInt8]] = [:]
    /// The numbers of the last sets; absent where the contract leaves the number open.
    private(set) var sequences: [StoragePartition: UInt64] = [.regular: 0, .incognito: 0]
    private var commits: [CommitID: Commit] = [:]
    /// The content at each opening, the last one last.
    private(set) var lastOpening = Moment()

    init(keepsRestorePoints: Bool) { self.keepsRestorePoints = keepsRestorePoints }

    // MARK: - Reading

    /// All sessions, ascending.
    var sessions: [SessionID] {
        Set(attributes.keys).union(homes.values.flatMap { $0.values.map(\.session) })
            .union(nodes.values.flatMap { $0.values.map(\.session) }).sorted()
    }

    func session(_ id: SessionID) -> ExpectedSession? {
        let tabs = (homes[id.partition] ?? [:]).values.filter { $0.session == id }.map(\.tab)
        let nodes = (nodes[id.partition] ?? [:]).values.filter { $0.session == id }.map(\.node)
        guard attributes[id] != nil || !tabs.isEmpty || !nodes.isEmpty else { return nil }
        let forest = ModelForest(tabs: tabs, nodes: nodes, in: id)
        return ExpectedSession(
            id: id, attributes: attributes[id] ?? SessionAttributes(), tabs: forest.tabs,
            nodes: forest.nodes)
    }

    func home(of key: TabStateKey) -> SessionID? { homes[key.partition]?[key.tab]?.session }

    // MARK: - Saving

    /// What a receipt must say; `nil` where the contract leaves it open.
    struct Receipt: Sendable {
        var sequence: UInt64?
        var isRepeated: Bool?
    }

    func receipt(for changes: SessionChanges) -> Receipt {
        guard let id = changes.commitID else { return fresh(changes) }
        guard let commit = commits[id] else { return fresh(changes) }
        return commit.isDoubtful ? Receipt() : Receipt(sequence: commit.sequence, isRepeated: true)
    }

    private func fresh(_ changes: SessionChanges) -> Receipt {
        Receipt(sequence: sequences[changes.partition].map { $0 + 1 }, isRepeated: false)
    }

    /// Applies a set that the store applied, unless it had done so before.
    ///
    /// - Parameter receipt: the store's; `nil` if it was lost.
    mutating func apply(_ changes: SessionChanges, _ receipt: SaveReceipt?) {
        let isRepeated = receipt?.wasAlreadyApplied ?? self.receipt(for: changes).isRepeated
        if isRepeated == true { return }
        let partition = changes.partition
        sequences[partition] = receipt?.sequence ?? sequences[partition].map { $0 + 1 }
        if let id = changes.commitID {
            commits[id] = Commit(partition: partition, sequence: sequences[partition])
        }
        remove(changes, in: partition)
        for change in changes.changes {
            switch change {
            case .put(.session(let id, let new)): attributes[id] = new
            case .put(.tab(let tab, let id)):
                homes[partition, default: [:]][tab.id] = Home(session: id, tab: tab)
            case .putState(let bytes, let key): blobs[key] = bytes
            case .removeState(let key): blobs[key] = nil
            case .put(.node(let node, let id)):
                nodes[partition, default: [:]][node.id] = NodeHome(session: id, node: node)
            case .remove: break
            }
        }
    }

    /// Performs removals, which apply to the store before the set, and spare the tabs that it puts.
    private mutating func remove(_ changes: SessionChanges, in partition: StoragePartition) {
        var spared: Set<TabID> = []
        for case .put(.tab(let tab, _)) in changes.changes { spared.insert(tab.id) }
        let before = homes[partition] ?? [:]
        var (gone, kept) = (Set<NodeID>(), Set<NodeID>())
        for change in changes.changes {
            switch change {
            case .put(.node(let node, _)): kept.insert(node.id)
            case .remove(.node(let node), let id):
                if nodes[partition]?[node]?.session == id { gone.insert(node) }
            case .remove(.session(let id), _):
                attributes[id] = nil
                for (node, home) in nodes[partition] ?? [:] where home.session == id {
                    gone.insert(node)
                }
                for (tab, home) in before where home.session == id && !spared.contains(tab) {
                    remove(tab, in: partition)
                }
            case .remove(.tab(let tab), let id):
                if before[tab]?.session == id, !spared.contains(tab) { remove(tab, in: partition) }
            default: continue
            }
        }
        for node in gone.subtracting(kept) { nodes[partition]?[node] = nil }
    }

    /// Removes a tab with its state.
    private mutating func remove(_ tab: TabID, in partition: StoragePartition) {
        homes[partition]?[tab] = nil
        for key in ModelNames.keys(in: partition) where key.tab == tab { blobs[key] = nil }
    }

    // MARK: - Other calls

    mutating func deleteIncognito() {
        for id in attributes.keys where id.partition == .incognito { attributes[id] = nil }
        homes[.incognito] = nil
        nodes[.incognito] = nil
        for key in ModelNames.keys(in: .incognito) { blobs[key] = nil }
        sequences[.incognito] = nil
        for (id, commit) in commits where commit.partition == .incognito {
            commits[id]?.isDoubtful = true
        }
    }

    /// Adopts a number that the contract left open.
    mutating func learn(_ sequence: UInt64, in partition: StoragePartition) {
        sequences[partition] = sequence
    }

    /// Adopts a session as a repair left it, which may have taken a number.
    mutating func adopt(_ session: RestoredSession) {
        attributes[session.id] = session.attributes
        for tab in session.tabs {
            homes[session.id.partition]?[tab.id] = Home(session: session.id, tab: tab)
        }
        let partition = session.id.partition
        nodes[partition] = nodes[partition]?.filter { $0.value.session != session.id }
        for node in session.nodes {
            nodes[partition, default: [:]][node.id] = NodeHome(session: session.id, node: node)
        }
        sequences[partition] = nil
    }

    /// Opens again, which takes a restore point.
    mutating func reopen() {
        var moment = Moment(blobs: blobs.filter { $0.key.partition == .regular })
        for id in sessions where id.partition == .regular { moment.sessions[id] = session(id) }
        lastOpening = moment
    }
}

extension SessionChanges {
    /// The partition of the first change; the regular one if there is none.
    var partition: StoragePartition { changes.first?.partition ?? .regular }
}
