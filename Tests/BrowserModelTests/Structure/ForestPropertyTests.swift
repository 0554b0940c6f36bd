import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import TestSupport

@testable import BrowserModel

/// Random changes of structure by every rule.
struct ForestPropertyTests {
    static let rules: [(String, StructureRules)] = [
        ("flat", .flatGroups), ("Chromium", .chromium), ("Firefox", .firefox), ("Zen", .zen),
        ("trees", .trees), ("everything", .everything),
    ]

    /// `FOREST_SEED=4-60` tries others.
    private static let seeds = TestRun.seeds("FOREST_SEED", 1, nightly: 40)
    private let steps = TestRun.amount(300, nightly: 1_000)

    @Test(arguments: 0..<rules.count, seeds)
    func listIsSoundAndWhoFollowsItHasIt(rule: Int, seed: UInt64) {
        let (name, rules) = Self.rules[rule]
        var changer = ForestChanger(seed: seed, rules: rules)
        var before = changer.lists.map { Self.outline($0) }
        for step in 1...steps {
            let what = changer.change()
            let faults =
                changer.lists.flatMap { Self.faults(of: $0) }
                + changer.replicas.flatMap(\.faults)
                + zip(changer.replicas, changer.lists).flatMap { $0.differences(from: $1) }
            guard faults.isEmpty else {
                let after = changer.lists.map { Self.outline($0) }
                recordIssue(
                    "\(name), step \(step), \(what): \(faults)\nfrom\n\(before.joined(separator: "and\n"))to\n\(after.joined(separator: "and\n"))"
                )
                return
            }
            before = changer.lists.map { Self.outline($0) }
        }
        expect(changer.made > steps / 4)
    }

    @Test func everyKindOfChangeIsMade() {
        var changer = ForestChanger(seed: 4, rules: .everything)
        for _ in 1...1_000 { _ = changer.change() }
        expect(changer.done.count, is: ForestChanger.kinds)
    }

    /// A list as text, a line for each tab and node.
    private static func outline(_ list: TabList) -> String {
        list.forest.rows.map { row in
            let indent = String(repeating: "  ", count: row.depth)
            switch row.content {
            case .tab(let tab): return "\(indent)\(tab.edge == .branch ? "-" : "")\(tab.title)\n"
            case .node(let node):
                let kind = "\(node.edge == .branch ? "-" : "")\(node.kind.rawValue) \(node.style)"
                return "\(indent)\(kind) \(node.id.description.prefix(8))\n"
            }
        }.joined()
    }

    /// What of a list is not as a store would read it, in words.
    static func faults(of list: TabList) -> [String] {
        var session = RestoredSession(
            id: SessionID(window: .random(), kind: .regular), attributes: SessionAttributes(),
            tabs: list.tabs.map(\.metadata))
        session.nodes = list.nodes
        let tabs = session.tabs
        session.repairForest()
        var faults = session.repairs.map { "\($0)" }
        if session.tabs != tabs { faults.append("the order of the tabs") }
        if session.nodes != list.nodes { faults.append("the order of the nodes") }
        for (index, tab) in list.tabs.enumerated() where list.index(of: tab) != index {
            faults.append("the index of \(tab.title)")
        }
        let pinned = list.tabs.count { tab in
            list.zone(of: list.ancestors(of: tab).last ?? NodeID(tab.id)) != .normal
        }
        if list.pinnedCount != pinned { faults.append("the pinned tabs") }
        for node in list.nodes where list.order.nodes[node.id]?.tabsBelow != count(node.id, list) {
            faults.append("how many tabs are in \(node.id)")
        }
        return faults + faultsOfWalks(in: list)
    }

    /// Walks upward say what walks downward do.
    private static func faultsOfWalks(in list: TabList) -> [String] {
        var faults: [String] = []
        list.order.visit { item in
            if item.above?.nodeID != item.parent { faults.append("what \(item.nodeID) is below") }
        }
        let shown = Set(list.groups.map(\.id))
        for tab in list where tab.group != list.ancestors(of: tab).first(where: shown.contains) {
            faults.append("the group of \(tab.title)")
        }
        return faults
    }

    private static func count(_ node: NodeID, _ list: TabList) -> Int {
        list.tabs.count { list.ancestors(of: $0).contains(node) }
    }
}
