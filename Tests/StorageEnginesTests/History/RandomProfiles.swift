import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// States of one small profile in which anything may be anywhere: each tab and node of one pool is below what
/// may hold it, in any session, or gone. Groups and splits may have too little in them.
struct RandomProfiles {
    var generator: SeededGenerator
    /// Whether what breaks a rule is repaired, as a list of tabs would do it.
    private let isSound: Bool
    /// What is somewhere, each behind what it is below.
    private var elements: [SessionRecord] = []
    private var gone: [SessionRecord]
    private(set) var state: [SessionSnapshot] = []

    private static let sessions = [
        SessionID(window: WindowID(high: 7, low: 1)), SessionID(window: WindowID(high: 7, low: 2)),
        SessionID(window: WindowID(high: 7, low: 1), kind: .inactive),
        SessionID(window: WindowID(high: 7, low: 8), kind: .library),
        SessionID(window: WindowID(high: 7, low: 9), kind: .recentlyClosed),
    ]
    private static let kinds: [StructureNode.Kind] = [
        .group, .group, .split, .space, .view, .group, .split, .init(rawValue: "board"),
    ]

    init(seed: UInt64, isSound: Bool = false) {
        (generator, self.isSound) = (SeededGenerator(seed: seed), isSound)
        gone = Self.kinds.enumerated().map { number, kind in
            var node = StructureNode(
                id: NodeID(high: 3, low: UInt64(number)), kind, place: .middle)
            if number == 0 { node.style = "folder" }
            return .node(node, in: Self.sessions[0])
        }
        gone += (1...9).map { (number: UInt64) in
            let tab = TabMetadata(id: TabID(high: 4, low: number), place: .middle)
            return .tab(tab, in: Self.sessions[0])
        }
    }

    /// Goes on to the next state, in which much is where it was.
    mutating func next() -> [SessionSnapshot] {
        let coming = gone.filter { $0.node != nil } + elements + gone.filter { $0.node == nil }
        (elements, gone) = ([], [])
        for var record in coming {
            guard generator.chance(4, in: 5) else {
                gone.append(record)
                continue
            }
            let isHeld = record.parent.map { holder($0)?.session == record.session } ?? true
            if !isHeld || record.position?.place == .middle || generator.chance(1, in: 3) {
                place(&record)
            }
            if generator.chance(1, in: 4) {
                let name = "\(generator.integer(in: 0...99))"
                if var tab = record.tab {
                    (tab.url, tab.title) = ("https://example.org/\(name)", name)
                    record = .tab(tab, in: record.session)
                } else if var node = record.node {
                    node.name = name
                    record = .node(node, in: record.session)
                }
            }
            elements.append(record)
        }
        state = []
        for id in Self.sessions { if let own = session(id) { state.append(own) } }
        return state
    }

    private func holder(_ id: NodeID) -> SessionRecord? { elements.first { $0.nodeID == id } }

    private mutating func place(_ record: inout SessionRecord) {
        var list = SessionRecord.SiblingList(
            session: generator.pick(Self.sessions), parent: nil, edge: .member, zone: .normal)
        let isRoot = record.node?.kind.isRoot == true
        let holders = elements.filter { $0.session == list.session }
        if !isRoot, !holders.isEmpty, generator.chance(2, in: 3) {
            let holder = generator.pick(holders)
            list.edge = generator.pick([NodeEdge.member, .branch])
            if Self.mayHold(holder.node?.kind, record.node?.kind, list.edge) {
                list.parent = holder.nodeID
            } else {
                list.edge = NodeEdge.member
            }
        }
        let holder = list.parent.flatMap(holder)?.node?.kind
        if list.parent == nil || holder == .space || holder == .view, generator.chance(1, in: 4) {
            list.zone = NodeZone.pinned
        }
        record.position?.list = list
        record.position?.place = generator.pick(OrderKey.evenlySpaced(count: 64))
    }

    private static func mayHold(
        _ kind: StructureNode.Kind?, _ child: StructureNode.Kind?, _ edge: NodeEdge
    ) -> Bool {
        guard let kind else { return edge == .branch }
        if edge == .branch { return kind.hasBranches }
        return kind == .split ? child == nil || child == .split : kind.hasMembers
    }

    private mutating func session(_ id: SessionID) -> SessionSnapshot? {
        let own = elements.filter { $0.session == id }
        guard !own.isEmpty || generator.chance(1, in: 4) else { return nil }
        var session = RestoredSession(
            id: id, attributes: SessionAttributes(), tabs: own.compactMap(\.tab),
            nodes: own.compactMap(\.node))
        session.attributes.activeTab = session.tabs.first?.id
        if id.window.low == 2, generator.chance(1, in: 2) {
            session.attributes.closedAt = Timestamp(microseconds: 9)
        }
        session.sortTabs()
        if isSound { session.repair() }
        let tabs = session.tabs.map { tab in
            let scroll = UInt8(generator.integer(in: 0...2))
            return TabSnapshot(
                metadata: tab, states: scroll > 0 ? [.navigation: [scroll]] : [:])
        }
        return SessionSnapshot(
            id: id, attributes: session.attributes, tabs: tabs, nodes: session.nodes)
    }
}

extension StoreFixture {
    /// A store with these sessions.
    convenience init(_ state: [SessionSnapshot]) throws {
        try self.init()
        _ = try store.saveBlocking(SessionEdit(.move, from: [], to: state).changes)
    }

    /// All sessions, as a restore gives them.
    func sessions() throws -> [RestoredSession] {
        try store.restoreBlocking(try store.sessionsBlocking())
    }
}
