import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// Two states of one profile, some edits apart, with folders, splits and trees.
struct RandomStates {
    var sampler: SessionSampler
    var generator: SeededGenerator
    private(set) var windows: [SessionSnapshot]

    init(seed: UInt64) {
        sampler = SessionSampler(seed: seed)
        generator = SeededGenerator(seed: seed &* 31)
        windows = sampler.windows(3, tabs: 10, state: .navigationOnly)
    }

    /// Returns the next state: random edits of windows, and now and then structure and closed tabs.
    mutating func next(edits: Int = 12) -> [SessionSnapshot] {
        for _ in 0..<edits { windows = sampler.randomEdit(of: windows).expected }
        var state = windows
        for index in state.indices { grow(&state[index]) }
        closeSome(&state)
        return state
    }

    /// Puts groups into folders, and tabs below tabs or into splits.
    private mutating func grow(_ window: inout SessionSnapshot) {
        for index in window.nodes.indices where generator.chance(1, in: 2) {
            var folder = StructureNode(
                id: NodeID(high: window.nodes[index].id.high, low: 1), .group,
                place: window.nodes[index].place, name: "Folder")
            folder.style = "folder"
            window.nodes[index].parent = folder.id
            window.nodes.append(folder)
        }
        let free = window.tabs.indices.filter {
            window.tabs[$0].metadata.parent == nil && !window.tabs[$0].metadata.isPinned
        }
        guard free.count >= 4 else { return }
        if generator.chance(1, in: 2) {
            window.tabs[free[1]].metadata.parent = NodeID(window.tabs[free[0]].metadata.id)
            window.tabs[free[1]].metadata.edge = .branch
        }
        guard generator.chance(1, in: 2) else { return }
        let first = window.tabs[free[2]].metadata
        let split = StructureNode(
            id: NodeID(high: first.id.high, low: 2), .split, place: first.place)
        window.nodes.append(split)
        for index in free[2...3] { window.tabs[index].metadata.parent = split.id }
    }

    /// Takes some tabs at the top of a window to those that were closed.
    private mutating func closeSome(_ state: inout [SessionSnapshot]) {
        let closed = SessionID(window: WindowID(high: 1, low: 1), kind: .recentlyClosed)
        var shelf = SessionSnapshot(id: closed)
        let window = generator.integer(in: 0...state.count - 1)
        let branches = Set(state[window].tabs.compactMap(\.metadata.parent))
        for tab in state[window].tabs.suffix(2)
        where tab.metadata.parent == nil && !branches.contains(NodeID(tab.metadata.id)) {
            state[window].tabs.removeAll { $0.metadata.id == tab.metadata.id }
            var tab = tab
            (tab.metadata.zone, tab.metadata.opener) = (.normal, nil)
            shelf.tabs.append(tab)
        }
        let left = Set(state[window].tabs.map(\.metadata.id))
        for index in state[window].tabs.indices {
            guard let opener = state[window].tabs[index].metadata.opener else { continue }
            if !left.contains(opener.tab) { state[window].tabs[index].metadata.opener = nil }
        }
        if let active = state[window].attributes.activeTab, !left.contains(active) {
            state[window].attributes.activeTab = state[window].tabs.first?.metadata.id
        }
        if !shelf.tabs.isEmpty { state.append(shelf) }
    }
}

extension StoreFixture {
    /// A store with these sessions.
    convenience init(_ state: [SessionSnapshot]) throws {
        try self.init()
        try replace(with: state)
    }

    /// Makes these sessions the only ones, in one set.
    func replace(with state: [SessionSnapshot]) throws {
        let edit = SessionEdit(.move, from: try content(), to: state)
        _ = try store.saveBlocking(edit.changes)
    }

    /// All sessions, as a restore gives them.
    func sessions() throws -> [RestoredSession] {
        try store.restoreBlocking(try store.sessionsBlocking())
    }
}
