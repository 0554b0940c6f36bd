extension SessionRecord: Encodable {
    private enum Key: String, CodingKey {
        case fields, id, session, sort
    }

    /// Encodes `{"fields","id","session","sort"}`: `sort` is `session`, `tab` or `node`, and `fields` are
    /// those of canonical JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(session.description, forKey: .session)
        try container.encode(item.sort, forKey: .sort)
        try container.encode(item.name, forKey: .id)
        let fields: FieldValues<EncodableValue> =
            switch self {
            case .session(_, let attributes): FieldValues(attributes)
            case .tab(let tab, _): FieldValues(tab)
            case .node(let node, _): FieldValues(node)
            }
        try container.encode(fields.values, forKey: .fields)
    }
}

extension SessionItem {
    /// What it is: `session`, `tab` or `node`.
    package var sort: String {
        switch self {
        case .session: "session"
        case .tab: "tab"
        case .node: "node"
        }
    }

    /// The identifier as text, which commands accept.
    package var name: String {
        switch self {
        case .session(let id): id.description
        case .tab(let id): id.description
        case .node(let id): id.description
        }
    }
}
