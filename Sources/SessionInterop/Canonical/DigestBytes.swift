import BrowserSessions

/// The bytes that ``ContentDigest`` covers. Its documentation has the grammar.
struct DigestBytes {
    private(set) var bytes: [UInt8] = []

    mutating func mark(_ mark: String) { bytes.append(contentsOf: mark.utf8) }

    mutating func number(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: value).bigEndian) {
            bytes.append(contentsOf: $0)
        }
    }

    mutating func count(_ value: Int) { number(value) }

    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func blob(_ value: [UInt8]) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func text(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    mutating func identifier<Subject>(_ value: Identifier<Subject>?) {
        flag(value != nil)
        if let value { bytes.append(contentsOf: value.bytes) }
    }

    /// Adds a map. The keys ascend by their bytes, not by the sort order of a language.
    mutating func map(_ value: [String: String]) {
        count(value.count)
        for (key, text) in value.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        {
            self.text(key)
            self.text(text)
        }
    }

    mutating func attributes(_ value: SessionAttributes) {
        text(value.title)
        identifier(value.activeTab)
        number(value.createdAt.microseconds)
        number(value.lastActiveAt.microseconds)
        map(value.properties)
        count(value.groups.count)
        for group in value.groups {
            bytes.append(contentsOf: group.id.bytes)
            text(group.title)
            number(group.color.rawValue)
            flag(group.isCollapsed)
            blob(group.unknownFields)
        }
        blob(value.unknownFields)
    }

    mutating func tab(_ value: TabMetadata) {
        mark("T")
        bytes.append(contentsOf: value.id.bytes)
        text(value.url)
        text(value.title)
        text(value.faviconURL)
        number(value.createdAt.microseconds)
        number(value.lastActiveAt.microseconds)
        number(value.navigationItemCount)
        flag(value.isPinned)
        identifier(value.group)
        identifier(value.opener?.tab)
        if let opener = value.opener {
            number(opener.navigationIndex)
            blob(opener.unknownFields)
        }
        map(value.properties)
        blob(value.unknownFields)
    }
}
