@_exported public import Testing

// Nearly all expectations of the tests are calls of these functions. They record what `#expect` does, without its
// macro: the compiler takes some 20 ms for each expansion, which was a third of building all tests.

/// Records an issue where a condition is false.
public func expect(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !condition else { return }
    Issue.record(comment() ?? "the condition is false", sourceLocation: sourceLocation)
}

/// Records an issue with both values where a value is not the expected one.
public func expect<Value: Equatable>(
    _ value: Value, is expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard value != expected else { return }
    let words = comment().map { ": \($0)" } ?? ""
    Issue.record("it is \(value), not \(expected)\(words)", sourceLocation: sourceLocation)
}
