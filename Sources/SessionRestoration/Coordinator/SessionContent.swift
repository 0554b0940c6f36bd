import BrowserSessions

/// What a session has beside its tabs.
struct SessionContent {
    /// `nil` for a session that is there as long as it has something in it, and no longer.
    var attributes: SessionAttributes?
    /// Its groups and other nodes; `nil` to leave those that the store has.
    var nodes: [StructureNode]?
}

extension SessionContent {
    /// The number of refusals after which nothing more can be left out.
    static let lastStage = 3

    /// Returns the content reduced for a store that has refused it this many times. First, names are cut
    /// and large properties of the host are left out, then all of the host's properties, then what changed
    /// of the groups. A window can come back without its frame, but not without attributes.
    func fitted(_ stage: Int) -> SessionContent {
        guard stage > 0 else { return self }
        let (name, property) = stage == 1 ? (8 * 1024, 16 * 1024) : (256, 0)
        var copy = self
        if let attributes {
            copy.attributes?.title = attributes.title.cut(name)
            copy.attributes?.properties = attributes.properties.fitted(property)
        }
        copy.nodes = nodes?.map { node in
            var node = node
            node.name = node.name.cut(name)
            node.properties = node.properties.fitted(property)
            return node
        }
        if stage >= Self.lastStage { copy.nodes = nil }
        return copy
    }
}

extension [String: String] {
    /// Returns what is at most this large of a host, and the restorer's own.
    fileprivate func fitted(_ bytes: Int) -> Self {
        filter { entry in
            let size = entry.key.utf8.count + entry.value.utf8.count
            return size <= (OwnProperty.isOwn(entry.key) ? 16 * 1024 : bytes)
        }
    }
}

extension String {
    /// Returns the first bytes of the string, or fewer so that no character is split.
    func cut(_ bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}
