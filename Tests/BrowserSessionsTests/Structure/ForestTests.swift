import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import BrowserSessions

/// What becomes of nodes that break a rule. What a store can show of it is STRUCTURE-3, -7 and -11.
struct ForestTests {
    static let places = OrderKey.evenlySpaced(count: 20)

    static func id(_ number: UInt64) -> NodeID { NodeID(high: 9, low: number) }

    static func tab(
        _ number: UInt64, _ place: Int = 0, in parent: UInt64? = nil, edge: NodeEdge = .member,
        zone: NodeZone = .normal
    ) -> TabMetadata {
        var tab = TabMetadata(id: TabID(id(number)), place: places[place])
        (tab.parent, tab.edge, tab.zone) = (parent.map { id($0) }, edge, zone)
        return tab
    }

    static func node(
        _ number: UInt64, _ kind: StructureNode.Kind = .group, _ place: Int = 0,
        in parent: UInt64? = nil, edge: NodeEdge = .member
    ) -> StructureNode {
        StructureNode(
            id: id(number), kind, place: places[place], parent: parent.map { id($0) }, edge: edge)
    }

    /// The numbers of the nodes in their order after a repair, each as often indented as it is deep,
    /// with the notes of the repair. A second repair changes nothing.
    func repaired(_ tabs: [TabMetadata], _ nodes: [StructureNode])
        -> (rows: [String], kinds: [SessionRepair.Kind])
    {
        var repair = ForestRepair(tabs: tabs, nodes: nodes)
        let order = repair.run()
        if Set(tabs.map(\.id)).count == tabs.count {
            let sound = tabs.withUnsafeBufferPointer { tabs in
                nodes.withUnsafeBufferPointer { SoundForest(tabs, $0)?.order }
            }
            expect(sound, is: (repair.repairs.isEmpty ? order.map(\.element) : nil))
        }
        let rows = order.map { element, depth in
            String(repeating: " ", count: depth) + "\(repair.elements.id(element).low)"
        }
        var (left, other): ([TabMetadata], [StructureNode]) = ([], [])
        for (element, _) in order {
            switch repair.content(of: element) {
            case .tab(let tab): left.append(tab)
            case .node(let node): other.append(node)
            }
        }
        let sound = left.withUnsafeBufferPointer { tabs in
            other.withUnsafeBufferPointer { SoundForest(tabs, $0)?.order }
        }
        let ids = left.map { NodeID($0.id) } + other.map(\.id)
        expect(sound?.map { ids[$0] }, is: order.map { repair.elements.id($0.element) })
        var again = ForestRepair(tabs: left.shuffled(), nodes: other.shuffled())
        expect(again.run().map(\.depth), is: order.map(\.depth))
        expect(again.repairs, is: [])
        expect(Set(again.elements.tabs) == Set(left) && Set(again.elements.nodes) == Set(other))
        expect(left.allSatisfy { $0.place.length <= OrderKey.maximumLength })
        return (rows, repair.repairs.map(\.kind))
    }

    // MARK: Repairs

    @Test("Of two nodes with one id the second gets another, and references mean the first")
    func doubles() {
        let tabs = [Self.tab(1), Self.tab(10, 3), Self.tab(2, in: 10, edge: .branch)]
        let (rows, kinds) = repaired(tabs, [Self.node(10, .space, 5)])
        expect(rows == ["1", "10", " 2", "11"] && kinds == [.doubleRenamed])
    }

    @Test(
        "A storage of its own kind that has a tab twice gets both",
        arguments: [nil, 10] as [UInt64?])
    func doubleTabs(parent: UInt64?) {
        var session = RestoredSession(
            id: SessionID(window: .random()), attributes: SessionAttributes(),
            tabs: [Self.tab(1, in: parent), Self.tab(1, 2)],
            nodes: parent.map { [Self.node($0)] } ?? [])
        session.repair()
        expect(session.tabs.map(\.id), is: [1, 2].map { TabID(Self.id($0)) })
        expect(session.repairs.map(\.kind), is: [.doubleRenamed])
    }

    @Test("Members of a node that is gone get a plain group, its branches go to the end together")
    func missingParents() {
        let tabs = [
            Self.tab(1, 5), Self.tab(2, 1, in: 20), Self.tab(3, 0, in: 20),
            Self.tab(4, 1, in: 30, edge: .branch), Self.tab(5, 0, in: 30, edge: .branch),
            Self.tab(6, 0, in: 5, edge: .branch),
        ]
        let (rows, kinds) = repaired(tabs, [])
        expect(rows, is: ["1", "20", " 3", " 2", "5", " 6", "4"])
        expect(kinds, is: [.groupAdded, .parentMissing, .parentMissing])
    }

    @Test("A cycle is cut at its greatest id")
    func cycles() {
        let tabs = [
            Self.tab(1, 0, in: 3, edge: .branch), Self.tab(2, 0, in: 1, edge: .branch),
            Self.tab(3, 0, in: 2, edge: .branch), Self.tab(4, 0, in: 4, edge: .branch),
        ]
        let (rows, kinds) = repaired(tabs, [])
        expect(rows == ["3", " 1", "  2", "4"] && kinds == [.cycleCut, .cycleCut])
    }

    @Test("What is below a node that has no such children comes behind it, or higher")
    func wrongParents() {
        let tabs = [
            Self.tab(1, 1), Self.tab(2, 0, in: 1), Self.tab(3, 0, in: 20), Self.tab(4, 1, in: 20),
            Self.tab(5, 0, in: 22), Self.tab(6, 0, in: 23, edge: .branch), Self.tab(7, 0, in: 24),
        ]
        let nodes = [
            Self.node(20, .split, 2), Self.node(22, .group, 3, in: 20), Self.node(23, .space, 4),
            Self.node(24, .container, 5), Self.node(25, .view, 0, in: 22),
        ]
        let (rows, kinds) = repaired(tabs, nodes)
        expect(rows, is: ["1", "2", "20", " 3", " 4", "22", " 5", "25", "23", "6", "24", "7"])
        expect(Set(kinds) == [.wrongParentLifted] && kinds.count == 5)
    }

    @Test("What branches from an empty split in a split comes behind both, if it is no pane")
    func branchesOfAnInnerSplit() {
        let tabs = [
            Self.tab(1, 0, in: 20), Self.tab(2, 2, in: 20), Self.tab(3, 0, in: 22),
            Self.tab(4, 1, in: 21, edge: .branch),
        ]
        let nodes = [
            Self.node(20, .split), Self.node(21, .split, 1, in: 20),
            Self.node(22, .group, 0, in: 21, edge: .branch),
        ]
        let (rows, kinds) = repaired(tabs, nodes)
        expect(rows, is: ["20", " 1", " 4", " 2", "22", " 3"])
        expect(kinds, is: [.splitRemoved, .wrongParentLifted])
    }

    // MARK: Bounds

    @Test("A chain of very many nodes ends at the deepest level, in its order")
    func chain() {
        let count = UInt64(TestRun.amount(10_000, nightly: 100_000))
        let tabs = (0..<count).map { number in
            Self.tab(number, 0, in: number > 0 ? number - 1 : nil, edge: .branch)
        }
        var repair = ForestRepair(tabs: tabs, nodes: [])
        let order = repair.run()
        expect(order.map(\.element), is: Array(0..<Int(count)))
        expect(order.map(\.depth).max(), is: SessionForest.maximumDepth)
        expect(repair.repairs.count, is: Int(count) - 65)
        expect(repair.elements.tabs.allSatisfy { $0.place.length <= OrderKey.maximumLength })
    }

    @Test("Very many children of one group, and empty groups, take linear time")
    func manyChildren() {
        let count = UInt64(TestRun.amount(20_000, nightly: 1_000_000))
        let tabs = (0..<count).map { Self.tab($0 + count, Int($0 % 20), in: 7) }
        var many = ForestRepair(tabs: tabs, nodes: [Self.node(7)])
        expect(many.run().count, is: Int(count) + 1)
        var empty = ForestRepair(
            tabs: [Self.tab(count)], nodes: (0..<count).map { Self.node($0) })
        expect(empty.run().count == 1 && empty.repairs.count >= Int(count))
    }

    /// Some to try each time, with those that found something once.
    private static let seeds =
        Array(0..<UInt64(TestRun.amount(30, nightly: 3000)))
        + (TestRun.isNightly ? [] : [824, 1279])

    @Test(
        "Random records become a forest that needs no other repair",
        arguments: Self.seeds)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let kinds: [StructureNode.Kind] = [
            .group, .split, .space, .view, .container, .init(rawValue: "newer"),
        ]
        func parent(_ generator: inout SeededGenerator) -> UInt64? {
            generator.chance(1, in: 4) ? nil : UInt64(generator.integer(in: 0...45))
        }
        func edge(_ generator: inout SeededGenerator) -> NodeEdge {
            NodeEdge(rawValue: Int32(generator.pick([0, 0, 0, 1, 1, 7])))
        }
        let tabs = (0..<20).map { _ in
            Self.tab(
                UInt64(generator.integer(in: 0...40)), generator.integer(in: 0...19),
                in: parent(&generator), edge: edge(&generator),
                zone: NodeZone(rawValue: Int32(generator.pick([0, 0, 0, 0, 1, 2, 5]))))
        }
        let nodes = (0..<15).map { _ in
            Self.node(
                UInt64(generator.integer(in: 0...40)), generator.pick(kinds),
                generator.integer(in: 0...19), in: parent(&generator), edge: edge(&generator))
        }
        let (rows, _) = repaired(tabs, nodes)
        // No tab is lost.
        expect(rows.count >= 20)
    }
}
