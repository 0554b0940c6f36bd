import BrowserSessions

extension SessionAttributes {
    /// After so many refusals nothing more can be left out.
    static let lastStage = 3

    /// As much of the attributes as a store may take that has refused them so many times: first names are
    /// cut and large properties of the host left out, then all of these, then the groups. A window without
    /// its frame comes back, one without attributes does not.
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
    /// The beginning, so many bytes long or shorter by what would be half a character.
    func cut(_ bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}
