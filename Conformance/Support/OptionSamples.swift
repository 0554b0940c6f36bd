import BrowserSessions

extension StorageHarness {
    /// All options that a store of this harness understands.
    var everyOption: [StorageOption] { StorageOption.common + options }
}

extension StorageOption {
    /// Values that the option allows: all of a choice, the ends of a range, the default.
    var allowedValues: [OptionValue] {
        let others: [OptionValue] =
            switch kind {
            case .bool: [.bool(true), .bool(false)]
            case .integer(let range): [.integer(range.lowerBound), .integer(range.upperBound)]
            case .choice(let choices): choices.map(OptionValue.text)
            case .text: []
            }
        return [defaultValue] + others.filter { $0 != defaultValue }
    }

    /// Values of the wrong type, which are wrong even where all values are written as text.
    var valuesOfWrongType: [OptionValue] {
        switch kind {
        case .bool: [.integer(7), .text("maybe")]
        case .integer: [.bool(true), .text("many")]
        case .choice(let choices):
            [.integer(7), .bool(true)].filter { value in
                !choices.contains { $0 == "7" || $0 == "true" } || value == .integer(7)
            }
        case .text: [.bool(true), .integer(7)]
        }
    }

    /// Values of the right type that the option does not allow.
    var forbiddenValues: [OptionValue] {
        switch kind {
        case .bool, .text: []
        case .integer(let range):
            (range.lowerBound == .min ? [] : [.integer(range.lowerBound - 1)])
                + (range.upperBound == .max ? [] : [.integer(range.upperBound + 1)])
        case .choice(let choices):
            (["none of them", ""] + choices.map { $0.uppercased() + "S" })
                .filter { !choices.contains($0) }.map(OptionValue.text)
        }
    }

    /// Returns what a person may write instead of the name.
    func misspellings(besides known: [String]) -> [String] {
        let letters = Array(name)
        let swapped = String(letters.prefix(2).reversed() + letters.dropFirst(2))
        let capital = name.prefix(1).uppercased() + name.dropFirst()
        return [String(name.dropLast()), swapped, capital].filter {
            !$0.isEmpty && !known.contains($0) && !$0.contains(name)
        }
    }
}
