import BrowserSessions
import SessionSamples

/// A session in which every field of every record has its own value, not the default.
enum FullRecords {
    static let session: ExpectedSession = {
        let groups = (1...2).map { NodeID(high: 0x600, low: $0) }
        let tabs = OrderKey.evenlySpaced(count: 5).enumerated().map { index, place in
            tab(index, at: place, in: groups)
        }
        var attributes = SessionAttributes()
        var values = DistinctValues(above: 0)
        attributes.visitFields(&values)
        attributes.activeTab = tabs[3].id
        var nodes = groups.map { StructureNode.group(id: $0) }
        for index in nodes.indices { nodes[index].visitFields(&values) }
        // As the rules of a session want it.
        for index in nodes.indices {
            (nodes[index].kind, nodes[index].parent) = (.group, nil)
            (nodes[index].edge, nodes[index].zone) = (.member, .normal)
        }
        nodes.takePlaces(of: tabs)
        return ExpectedSession(
            id: Plain.session(77), attributes: attributes, tabs: tabs, nodes: nodes)
    }()

    private static func tab(_ index: Int, at place: OrderKey, in groups: [NodeID])
        -> TabMetadata
    {
        let first = UInt64(0x9876_5432_10FE_DC00)
        var tab = TabMetadata(
            id: TabID(high: 0xABCD_EF01_2345_6789, low: first + UInt64(index)), place: place)
        var values = DistinctValues(above: 100 * Int64(index + 1))
        tab.visitFields(&values)
        // As the rules of a session want it.
        tab.isPinned = index == 0
        tab.group = index == 0 ? nil : groups[index < 3 ? 0 : 1]
        if index == 0 { tab.opener = nil }
        tab.opener?.tab = TabID(high: tab.id.high, low: first)
        return tab
    }
}
