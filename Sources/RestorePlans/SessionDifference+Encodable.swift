import BrowserSessions

extension SessionDifference.Entry: Encodable {
    private enum Key: String, CodingKey {
        case after, before, change, fields, id, sort, title
    }

    /// Encodes `{"after","before","change","fields","id","sort","title"}`; a missing record is `null`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(change.rawValue, forKey: .change)
        try container.encode(item.sort, forKey: .sort)
        try container.encode(item.name, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(fields, forKey: .fields)
        try container.encode(before, forKey: .before)
        try container.encode(after, forKey: .after)
    }
}

extension SessionDifference: Encodable {
    private enum Key: String, CodingKey {
        case counts, entries, format, version
    }

    /// Encodes `{"counts":{"nodes","sessions","tabs"},"entries":[…],"format","version"}`. An encoder that
    /// sorts keys and adds no white space writes equal differences in equal bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("browser-sessions difference", forKey: .format)
        try container.encode(1, forKey: .version)
        try container.encode(
            ["nodes": nodeCounts, "sessions": sessionCounts, "tabs": tabCounts], forKey: .counts)
        try container.encode(entries, forKey: .entries)
    }
}
