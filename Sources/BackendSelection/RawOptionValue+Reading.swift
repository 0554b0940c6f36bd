import BrowserSessions

extension StorageOption {
    /// Reads a value as the option's kind. Throws an error with the source for any other form.
    func read(_ raw: Stated<RawOptionValue>, for backend: String) throws(StorageError)
        -> OptionValue
    {
        if let value = value(from: raw.value), accepts(value) { return value }
        throw .selection(
            raw.source,
            "option '\(name)' of backend '\(backend)' must be \(expectation)"
                + (isSecret ? "" : mismatch(raw.value)))
    }

    private func value(from raw: RawOptionValue) -> OptionValue? {
        switch (kind, raw) {
        case (.bool, .text("true")): .bool(true)
        case (.bool, .text("false")): .bool(false)
        case (.bool, .text): nil
        case (.integer, .text(let text)):
            ByteCount.parse(text).map { .integer($0) }
        case (.integer, .typed(.text(let text))) where !ByteCount.isPlain(text):
            ByteCount.parse(text).map { .integer($0) }
        case (.choice, .text(let text)), (.text, .text(let text)): .text(text)
        case (_, .typed(let value)): value
        }
    }

    /// Returns the part of a message that says what was found instead: `, not 'fast'`.
    private func mismatch(_ raw: RawOptionValue) -> String {
        switch (kind, raw) {
        case (.choice(let choices), .text(let text)),
            (.choice(let choices), .typed(.text(let text))):
            ", not '\(text)'" + NearestName.suggestion(for: text, among: choices)
        case (_, .text(let text)): ", not '\(text)'"
        case (_, .typed(.text(let text))): ", not the text '\(text)'"
        case (.text, .typed(.integer)), (.text, .typed(.bool)),
            (.choice, .typed(.integer)), (.choice, .typed(.bool)):
            ", in quotes"
        case (_, .typed(.integer(let number))): ", not \(number)"
        case (_, .typed(.bool(let flag))): ", not \(flag)"
        }
    }

    /// Returns the value as text, or dots for a secret.
    func shown(_ value: OptionValue) -> String {
        isSecret ? Redaction.dots : value.text
    }

    /// The environment variable that sets the option.
    var variable: String { EnvironmentKey.option + Self.upperSnake(name) }

    /// Returns `MAXIMUM_STATE_BYTES` for `maximumStateBytes`, and `CACHE_KIB` for `cacheKiB`.
    static func upperSnake(_ name: String) -> String {
        let letters = Array(name.utf8)
        func isUpper(_ index: Int) -> Bool { letters[index] >= 65 && letters[index] <= 90 }
        var result: [UInt8] = []
        for index in letters.indices {
            if index > 0, index + 1 < letters.count, isUpper(index),
                !isUpper(index - 1) || letters[index + 1] >= 97
            {
                result.append(UInt8(ascii: "_"))
            }
            let isMark = letters[index] == UInt8(ascii: "-") || letters[index] == UInt8(ascii: ".")
            result.append(isMark ? UInt8(ascii: "_") : letters[index])
        }
        return String(decoding: result, as: UTF8.self).uppercased()
    }
}

extension OptionValue {
    /// The value as written in a URL or a variable.
    var text: String {
        switch self {
        case .bool(let flag): String(flag)
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}

/// Whole numbers in text: `-1`, `4096`, `16MiB`.
enum ByteCount {
    private static let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]

    /// Returns whether the text has digits but no unit.
    static func isPlain(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// Returns the number; `nil` for another form or a number of more than 64 bits.
    static func parse(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = String(text.dropLast(unit?.0.count ?? 0))
        guard isPlain(digits), let number = Int(digits) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return overflow ? nil : product
    }
}
