import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionSamples
import SessionTesting
import TestSupport

/// Whatever is closed of a forest, and in whatever order that is undone: the same forest is back.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct UndoneForestTests {
    /// `UNDO_SEED=4-60` tries others.
    private nonisolated static let seeds = TestRun.seeds("UNDO_SEED", 20, nightly: 2_000)

    @Test(arguments: seeds)
    func anyOrderOfUndoEndsInTheSameForest(seed: UInt64) async throws {
        var run = try await Run(seed: seed)
        let before = run.shape
        try await run.closeSome()
        try await run.reopenAll()
        let after = run.shape
        expect(
            after, is: before,
            """
            seed \(seed): \(run.deeds.joined(separator: "; "))
            \(before.joined(separator: "\n"))
            became
            \(after.joined(separator: "\n"))
            """)
        try await run.relaunch()
        expect(run.shape, is: before)
        expect(run.host.restorer.report?.isSuspicious, is: false)
    }
}

/// One host that closes and reopens at random, and is killed after saves.
@MainActor
private struct Run {
    private(set) var host: Host
    private(set) var deeds: [String] = []
    private let id: WindowID
    /// A window without tabs would be closed at the next launch.
    private let anchor: TabID
    private var random: SeededGenerator

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        host = try await Host.structured(FaultyStorage())
        id = try host.windows.open().id
        anchor = .random(using: &random)
        fill(try list)
        try list.insert(Tab(id: anchor, title: "anchor"))
    }

    private var list: TabList {
        get throws { try require(host.windows.window(id)).tabs }
    }

    mutating func relaunch() async throws {
        host = try await host.next()
    }

    mutating func closeSome() async throws {
        for _ in 0..<random.integer(in: 1...12) {
            if random.chance(1, in: 6) { try await relaunch() }
            try close(in: list)
        }
        if random.chance(1, in: 2) { try await relaunch() }
    }

    mutating func reopenAll() async throws {
        while let closed = host.restorer.closed.tabs.randomElement(using: &random) {
            if random.chance(1, in: 2) {
                let items = host.restorer.closed.items
                let item = try require(items.first { $0.id == .closing(closed.closing) })
                let tabs = try await host.restorer.closed.reopen(item)
                deeds.append("reopen together \(tabs.map(\.title))")
            } else {
                deeds.append("reopen \(closed.title)")
                try host.restorer.closed.reopen(closed.id)
            }
            if random.chance(1, in: 8) { try await relaunch() }
        }
    }

    // MARK: Forests

    private mutating func fill(_ list: TabList) {
        for number in 0..<random.integer(in: 3...14) {
            _ = try? list.insert(
                Tab(
                    id: .random(using: &random), url: "https://\(number).example/",
                    title: "\(number)"))
        }
        for number in 0..<random.integer(in: 0...10) {
            var node = StructureNode(
                id: .random(using: &random), random.pick([.group, .group, .split]),
                place: .middle)
            node.name = "\(node.kind.rawValue) \(number)"
            if node.kind == .group, random.chance(1, in: 2) { node.style = "folder" }
            _ = try? list.create(node, of: some(of: list))
        }
        for _ in 0..<random.integer(in: 0...12) {
            let parent = some(of: list)[0]
            let target: NodeTarget =
                random.chance(1, in: 2)
                ? .below(parent) : random.chance(1, in: 2) ? .inside(parent) : .top(.pinned)
            try? list.move(some(of: list)[0], to: target)
        }
        for node in list.nodes where node.kind == .split {
            for pane in list.children(of: node.id) {
                try? list.setWeight(Int32(random.integer(in: 0...3)), of: pane)
            }
        }
    }

    private mutating func some(of list: TabList) -> [NodeID] {
        let all = list.nodes.map(\.id) + list.tabs.map(\.nodeID)
        return (0..<random.integer(in: 1...3)).map { _ in random.pick(all) }
    }

    private mutating func close(in list: TabList) throws {
        let tabs = list.tabs.map(\.id).filter { $0 != anchor }
        guard !tabs.isEmpty else { return }
        if random.chance(1, in: 2) {
            let some = Set((0..<random.integer(in: 1...3)).map { _ in random.pick(tabs) })
            let titles = some.compactMap { list.tab($0)?.title }
            try list.close(some.sorted())
            deeds.append("close \(titles)")
        } else {
            let withTabs = list.nodes.map(\.id).filter { list.range(of: $0) != nil }
            let node = random.pick(withTabs + tabs.map(NodeID.init))
            let name = list.node(node)?.name ?? list.tab(TabID(node))?.title ?? ""
            try list.closeAll(in: node)
            deeds.append("close all in \(name)")
        }
    }

    /// The sidebar of the window, with what is saved of each place.
    var shape: [String] {
        let rows = (try? list)?.forest.rows ?? []
        return rows.filter { $0.id != anchor.nodeID }.map { row in
            let indent = String(repeating: "  ", count: row.depth)
            switch row.content {
            case .tab(let tab):
                return indent + tab.title + marks(tab.edge, tab.zone, tab.weight)
            case .node(let node):
                return indent + node.name + marks(node.edge, node.zone, node.weight)
            }
        }
    }

    private func marks(_ edge: NodeEdge, _ zone: NodeZone, _ weight: Int32) -> String {
        (edge == .branch ? " below" : "") + (zone == .normal ? "" : " in zone \(zone.rawValue)")
            + (weight == 0 ? "" : " of \(weight)")
    }
}
