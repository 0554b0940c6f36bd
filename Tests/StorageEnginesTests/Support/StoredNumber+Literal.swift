public import BrowserSessions

extension StoredNumber: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) {
        guard let number = StoredNumber(value) else { preconditionFailure("\(value) is too large") }
        self = number
    }
}
