extension StorageConfiguration {
    /// Returns the value of an option, or its default.
    public func value(of option: StorageOption) -> OptionValue {
        options[option.name] ?? option.defaultValue
    }

    /// Whether a store may be created if none exists.
    public var mayCreate: Bool { options["create"] != .bool(false) }

    /// How the store may be accessed.
    public var access: StorageAccess {
        guard case .text(let text)? = options["access"] else { return .readWrite }
        return StorageAccess(rawValue: text) ?? .readWrite
    }

    /// The level of saves that do not name one.
    public var defaultDurability: Durability {
        guard case .text(let text)? = options["durability"] else { return .powerLoss }
        return Durability(rawValue: text) ?? .powerLoss
    }

    /// The maximum size of one state blob in bytes.
    public var maximumStateBytes: Int {
        guard case .integer(let bytes)? = options["maximumStateBytes"] else {
            return StorageTraits.defaultMaximumStateBytes
        }
        return bytes
    }

    /// Throws ``StorageError/Code/invalidConfiguration`` for an option that `known` does not list
    /// or a value of the wrong form.
    public func validate(against known: [StorageOption], of backend: String) throws(StorageError) {
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            guard let option = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name).sorted().joined(separator: ", ")
                throw StorageError(
                    .invalidConfiguration,
                    "backend '\(backend)' has no option '\(name)'; it has: \(names)",
                    operation: "open")
            }
            guard option.accepts(value) else {
                throw StorageError(
                    .invalidConfiguration,
                    "option '\(name)' of backend '\(backend)' must be \(option.expectation)",
                    operation: "open")
            }
        }
    }
}

extension StorageOption {
    /// Returns whether the value has the option's form and is in its range.
    public func accepts(_ value: OptionValue) -> Bool {
        switch (kind, value) {
        case (.bool, .bool), (.text, .text): true
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.choice(let choices), .text(let text)): choices.contains(text)
        default: false
        }
    }

    /// The legal values, for messages: `true or false`.
    public var expectation: String {
        switch kind {
        case .bool: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .text: "text"
        }
    }
}
