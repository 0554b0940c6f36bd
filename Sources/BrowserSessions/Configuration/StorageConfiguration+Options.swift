extension StorageConfiguration {
    /// Returns the value of an option, or its default.
    public func value(of option: StorageOption) -> OptionValue {
        options[option.name] ?? option.defaultValue
    }

    /// Whether a store may be created if none exists.
    package var mayCreate: Bool { options["create"] != .bool(false) }

    /// How the store may be accessed.
    public var access: StorageAccess { choice("access", .readWrite) }

    /// The level of saves that do not name one.
    public var defaultDurability: Durability { choice("durability", .powerLoss) }

    /// The maximum size of one state blob in bytes.
    package var maximumStateBytes: Int {
        integer("maximumStateBytes", StorageTraits.defaultMaximumStateBytes)
    }

    package func integer(_ name: String, _ standard: Int) -> Int {
        if case .integer(let value)? = options[name] { value } else { standard }
    }

    private func choice<Value: RawRepresentable<String>>(_ name: String, _ standard: Value)
        -> Value
    {
        guard case .text(let text)? = options[name] else { return standard }
        return Value(rawValue: text) ?? standard
    }

    /// Throws ``StorageError/Code/invalidConfiguration`` for an option that `known` does not list
    /// or a value of the wrong form.
    package func validate(against known: [StorageOption], of backend: String) throws(StorageError) {
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
    package func accepts(_ value: OptionValue) -> Bool {
        switch (kind, value) {
        case (.bool, .bool), (.text, .text): true
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.choice(let choices), .text(let text)): choices.contains(text)
        default: false
        }
    }

    /// The legal values, for messages: `true or false`.
    package var expectation: String {
        switch kind {
        case .bool: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .text: "text"
        }
    }
}
