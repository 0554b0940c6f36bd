extension [UInt8] {
    /// Bytes written in hexadecimal digits; blanks between them count for nothing.
    public init(hexadecimal text: String) throws {
        let digits = text.filter { !$0.isWhitespace }.map(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2) else { throw NotHexadecimal(text: text) }
        self = try stride(from: 0, to: digits.count, by: 2).map {
            guard let high = digits[$0], let low = digits[$0 + 1] else {
                throw NotHexadecimal(text: text)
            }
            return UInt8(high << 4 | low)
        }
    }

    /// The bytes again and again, so many in all; fast also without an optimizer.
    public func repeated(to count: Int) -> [UInt8] {
        var bytes = self
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += bytes.prefix(count - bytes.count) }
        return Array(bytes.prefix(count))
    }
}

/// A literal of a test is wrong.
struct NotHexadecimal: Error {
    var text: String
}
