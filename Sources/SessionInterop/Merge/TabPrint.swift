import BrowserSessions
import PlatformCrypto

/// The features that identify a tab in a later version of its source: the first bytes of digests of
/// its address, and of the addresses of its history.
struct TabPrint: Hashable {
    var address: UInt64
    var history: UInt64
}

extension TabPrint {
    init(_ tab: TabSnapshot) {
        address = Self.short(of: [tab.metadata.url])
        history = Self.short(of: tab.addresses)
    }

    /// Returns the history digests of the tab before its last entries, the longest history first.
    static func earlier(_ tab: TabSnapshot) -> [UInt64] {
        var hash = SHA256()
        var prints: [UInt64] = []
        for address in tab.addresses.dropLast() {
            hash.update(Self.bytes(of: address))
            prints.append(hash.short)
        }
        return prints.reversed()
    }

    private static func short(of texts: [String]) -> UInt64 {
        var hash = SHA256()
        for text in texts { hash.update(bytes(of: text)) }
        return hash.short
    }

    private static func bytes(of text: String) -> [UInt8] {
        var bytes = FieldBytes()
        bytes.add(text)
        return bytes.bytes
    }
}

extension TabSnapshot {
    var addresses: [String] {
        let history = states[.navigation].flatMap { try? NavigationHistory(encoded: $0) }
        return history.map { $0.entries.map(\.url) } ?? [metadata.url]
    }

    /// The states that an import writes and later compares.
    static let comparedStates: [StateName] = [.navigation, .native]

    /// The digest of what a user changes in a tab, without its position, times and icons.
    var contentPrint: UInt64 {
        var bytes = FieldBytes()
        bytes.add(metadata.url)
        bytes.add(metadata.title)
        bytes.add(metadata.isPinned)
        bytes.add(metadata.group)
        // Identifiers derive from the whole file, so another version of it has other identifiers.
        bytes.add(
            metadata.properties.filter { name, value in
                !OwnProperty.isOwn(name) && WindowID(value) == nil
                    && SessionID(value) == nil
            })
        var hash = SHA256()
        for name in Self.comparedStates {
            bytes.add(states[name] != nil)
            bytes.add(states[name]?.count ?? 0)
            hash.update(bytes.bytes)
            hash.update(states[name] ?? [])
            bytes = FieldBytes()
        }
        return hash.short
    }
}

extension SessionAttributes {
    /// The digest of the window's name and its values from the source, but not of its closing time.
    var contentPrint: UInt64 {
        var attributes = self
        attributes.closedAt = nil
        var bytes = FieldBytes()
        bytes.add(title)
        bytes.add(attributes.properties)
        return SHA256.short(of: bytes)
    }
}

extension StructureNode {
    /// The digest of the name and the color.
    var contentPrint: UInt64 {
        var bytes = FieldBytes()
        bytes.add(name)
        bytes.add(color.rawValue)
        return SHA256.short(of: bytes)
    }
}

extension SHA256 {
    /// The first eight bytes of the digest so far.
    fileprivate var short: UInt64 {
        let hash = self
        return hash.digest().prefix(8).bigEndian
    }

    fileprivate static func short(of bytes: FieldBytes) -> UInt64 {
        var hash = SHA256()
        hash.update(bytes.bytes)
        return hash.short
    }
}
