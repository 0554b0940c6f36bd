import BrowserModel
import BrowserSessions

/// The tabs of spaces, which leave the library with the groups and splits that they are in, and come back.
///
/// Spaces, folders and containers stay. What leaves has copies of them, which name them.
extension RestoredSession {
    /// Returns the session with other identifiers for some nodes, which note the old ones.
    func renamed(_ names: [NodeID: NodeID]) -> RestoredSession {
        var session = self
        for index in nodes.indices {
            session.nodes[index].parent = nodes[index].parent.map { names[$0] ?? $0 }
            guard let name = names[nodes[index].id] else { continue }
            session.nodes[index].id = name
            session.nodes[index].properties[SavedProperty.nodeID] = nodes[index].id.description
        }
        for index in tabs.indices {
            session.tabs[index].parent = tabs[index].parent.map { names[$0] ?? $0 }
        }
        return session
    }

    /// Returns the library as it was before tabs left it, with these alone.
    var backInLibrary: RestoredSession {
        let names = nodes.compactMap { copy in
            copy.properties[SavedProperty.nodeID].flatMap { NodeID($0) }.map { (copy.id, $0) }
        }
        var session = renamed(Dictionary(names, uniquingKeysWith: { first, _ in first }))
        session.id = SessionID(window: .profileWide, kind: .library)
        session.attributes = session.attributes.broughtBack
        return session
    }
}
