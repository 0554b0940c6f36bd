import BrowserSessions

extension [StructureNode] {
    /// The nodes without the places that their tabs give them.
    var unplaced: [StructureNode] {
        map { node in
            var node = node
            node.place = .middle
            return node
        }
    }
}
