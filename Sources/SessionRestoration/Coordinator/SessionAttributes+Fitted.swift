import BrowserSessions

extension SessionAttributes {
    /// The number of refusals after which nothing more can be left out.
    static let lastStage = 3

    /// Returns the attributes reduced for a store that has refused them this many times. First, names are cut
    /// and large properties of the host are left out, then all of the host's properties, then the groups. A
    /// window can come back without its frame, but not without attributes.
    func fitted(_ stage: Int) -> SessionAttributes {
        guard stage > 0 else { return self }
        let (name, property) = stage == 1 ? (8 * 1024, 16 * 1024) : (256, 0)
        var copy = self
        copy.title = title.cut(name)
        for index in copy.groups.indices {
            copy.groups[index].title = copy.groups[index].title.cut(name)
        }
        if stage >= Self.lastStage { copy.groups = [] }
        copy.properties = properties.filter { entry in
            let size = entry.key.utf8.count + entry.value.utf8.count
            return size <= (SavedProperty.isOwn(entry.key) ? 16 * 1024 : property)
        }
        return copy
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
