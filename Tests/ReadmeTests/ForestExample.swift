import BrowserSessions

/// Saves a folder with a tab and a split, and a tab with a branch, and returns the rows of a sidebar.
func outline(in store: some SessionStorage) async throws -> [String] {
    let window = SessionID(window: .random())
    let places = OrderKey.evenlySpaced(count: 8)
    var changes = SessionChanges()
    func tab(_ title: String, _ place: Int, in parent: NodeID?, edge: NodeEdge = .member) -> NodeID
    {
        var tab = TabMetadata(id: .random(), place: places[place], title: title)
        (tab.parent, tab.edge) = (parent, edge)
        changes.put(tab, in: window)
        return NodeID(tab.id)
    }
    changes.put(SessionAttributes(), for: window)

    var folder = StructureNode(.group, place: places[0], name: "Travel")
    folder.style = "folder"
    let split = StructureNode(.split, place: places[2], parent: folder.id)
    changes.put(folder, in: window)
    changes.put(split, in: window)
    _ = tab("Trains", 1, in: folder.id)
    _ = tab("Map", 3, in: split.id)
    _ = tab("Hotels", 4, in: split.id)
    let news = tab("News", 5, in: nil)
    _ = tab("An article", 6, in: news, edge: .branch)
    try await store.save(changes)

    // One record moves the folder with all that is in it.
    folder.place = places[7]
    var move = SessionChanges()
    move.put(folder, in: window)
    try await store.save(move)

    return try await store.restore(window)?.forest.rows.map { row in
        let name =
            switch row.content {
            case .tab(let tab): tab.title
            case .node(let node): node.name.isEmpty ? node.kind.rawValue : node.name
            }
        return String(repeating: "  ", count: row.depth) + name
    } ?? []
}
