/// The reasons for a selection: every setting with its value, its source and what it overrides.
public struct SelectionExplanation: Hashable, Sendable {
    /// The configuration file if there is one, the backend, the location, then every option.
    public var entries: [Entry]

    /// Creates an explanation from entries in the order of ``entries``.
    public init(entries: [Entry]) { self.entries = entries }

    /// One setting.
    public struct Entry: Hashable, Sendable {
        /// `backend`, `location`, `configuration file` or the name of an option.
        public var name: String
        /// The value as text; `•••` for a secret.
        public var value: String
        /// The source of the value.
        public var source: SelectionSource
        /// The values of weaker sources, strongest first, including the default.
        public var overridden: [Stated<String>]
        /// Whether the setting is a secret, so that dots replace its value and those it overrides.
        public var isSecret: Bool
        /// The meaning of the value on this machine, if the value alone does not show it.
        public var meaning: String?

        /// Creates an entry; by default, of a setting that is not secret and overrides nothing.
        /// Values of secrets must be dots already.
        public init(
            name: String, value: String, source: SelectionSource,
            overridden: [Stated<String>] = [], isSecret: Bool = false, meaning: String? = nil
        ) {
            self.name = name
            self.value = value
            self.source = source
            self.overridden = overridden
            self.isSecret = isSecret
            self.meaning = meaning
        }
    }

    /// One line for each setting, followed by one for its meaning and one for each value that it
    /// overrode.
    public var lines: [String] {
        let width = entries.map(\.name.count).max() ?? 0
        return entries.flatMap { entry in
            let name = entry.name + String(repeating: " ", count: width - entry.name.count)
            let margin = String(repeating: " ", count: width)
            return ["\(name)  \(entry.value)  from \(entry.source)"]
                + [entry.meaning].compactMap { $0.map { "\(margin)    that is \($0)" } }
                + entry.overridden.map { "\(margin)    instead of \($0.value)  from \($0.source)" }
        }
    }
}

extension SelectionExplanation: Encodable {
    /// Encodes an array of the entries.
    public func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}

extension SelectionExplanation.Entry: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, value, isSecret, meaning, source, level, overridden
    }

    /// Encodes an object with `name`, `value`, `isSecret`, `source`, `level`, `meaning` if there is
    /// one, and an array `overridden` of objects with `value`, `source` and `level`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(isSecret, forKey: .isSecret)
        try container.encodeIfPresent(meaning, forKey: .meaning)
        try container.encode(source.description, forKey: .source)
        try container.encode(source.level.rawValue, forKey: .level)
        var list = container.nestedUnkeyedContainer(forKey: .overridden)
        for stated in overridden {
            var item = list.nestedContainer(keyedBy: CodingKeys.self)
            try item.encode(stated.value, forKey: .value)
            try item.encode(stated.source.description, forKey: .source)
            try item.encode(stated.source.level.rawValue, forKey: .level)
        }
    }
}
