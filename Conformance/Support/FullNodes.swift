import BrowserSessions
import SessionSamples

/// A session with nodes of every kind in which every field has its own value, not the default.
enum FullNodes {
    static let session: ExpectedSession = {
        var session = PlainForest.session()
        session.id = Plain.session(78)
        for index in session.nodes.indices { fill(&session.nodes[index], 1000 * Int64(index + 1)) }
        // The space is pinned, so that it comes first with its two tabs.
        session.nodes[3].zone = .pinned
        session.nodes.insert(session.nodes.remove(at: 3), at: 0)
        session.tabs = session.tabs.suffix(2) + session.tabs.dropLast(2)
        for index in session.tabs.indices { fill(&session.tabs[index], 100 * Int64(index + 1)) }
        session.attributes.activeTab = session.tabs[0].id
        return session
    }()

    private static func fill(_ node: inout StructureNode, _ number: Int64) {
        let old = node
        var values = DistinctValues(above: number)
        node.visitFields(&values)
        (node.kind, node.parent, node.edge, node.zone) = (old.kind, old.parent, old.edge, old.zone)
        (node.container, node.link, node.active) = (Plain.id(6), Plain.id(4), Plain.tab(2).id)
    }

    /// Fills in what tabs have of structure.
    private static func fill(_ tab: inout TabMetadata, _ number: Int64) {
        let old = tab
        var values = DistinctValues(above: number)
        tab.visitFields(&values)
        (tab.parent, tab.edge, tab.zone) = (old.parent, old.edge, old.zone)
        tab.opener = nil
        tab.container = Plain.id(6)
    }

    /// Returns nodes of kinds, edges, zones and axes that this version does not know, with fields that the
    /// schema does not have: number 100, text; and number 50 in where they were closed.
    static func unknown() throws -> ExpectedSession {
        let fields: [UInt8] = [0xA2, 0x06, 5] + Array("newer".utf8)
        let closed: [UInt8] = [0x8A, 0x01, 5, 0x0A, 0, 0x90, 0x03, 7]
        var nodes = [
            Plain.node(1, .init(rawValue: "shelf"), at: 1),
            Plain.node(2, at: 1, in: Plain.id(1)),
            Plain.node(3, .split, at: 3, in: Plain.id(1)),
            Plain.node(4, .init(rawValue: "desk"), at: 5, in: Plain.id(1), edge: .branch),
            Plain.node(5, .init(rawValue: ""), at: 1, zone: .init(rawValue: 77)),
        ]
        nodes[1].edge = NodeEdge(rawValue: 9)
        nodes[2].axis = SplitAxis(rawValue: -1)
        nodes[2].color = TabGroupColor(rawValue: 1000)
        nodes = try nodes.map { node in
            try (node.encodedPayload() + closed + fields).withUnsafeBytes {
                try StructureNode(id: node.id, payload: $0)
            }
        }
        let isUnknown = nodes.allSatisfy {
            $0.unknownFields == fields && $0.closedFrom?.unknownFields == [0x90, 0x03, 7]
        }
        guard isUnknown else {
            throw HarnessFault("the unknown fields of the example are not read as such")
        }
        let tabs = [
            Plain.tab(1, at: 0, in: Plain.id(2)), Plain.tab(3, at: 0, in: Plain.id(3)),
            Plain.tab(4, at: 1, in: Plain.id(3)), Plain.tab(2, at: 0, in: Plain.id(4)),
        ]
        return ExpectedSession(id: Plain.session(79), tabs: tabs, nodes: nodes)
    }
}
