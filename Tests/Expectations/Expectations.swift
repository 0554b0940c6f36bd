@_exported public import Testing

// Nearly all expectations of the tests are calls of these functions. They record what `#expect` and `#require` do,
// without macros: the compiler takes some 20 ms for each expansion, also for that of `#_sourceLocation` as a default.

/// Records an issue.
public func recordIssue(_ comment: Comment, file: String = #fileID, line: Int = #line) {
    let place = SourceLocation(fileID: file, filePath: file, line: line, column: 1)
    Issue.record(comment, sourceLocation: place)
}

/// Records an issue where a condition is false.
public func expect(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line
) {
    guard !condition else { return }
    recordIssue(comment() ?? "the condition is false", file: file, line: line)
}

/// Records an issue with both values where a value is not the expected one.
public func expect<Value: Equatable>(
    _ value: Value, is expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line
) {
    guard value != expected else { return }
    let words = comment().map { ": \($0)" } ?? ""
    recordIssue("it is \(value), not \(expected)\(words)", file: file, line: line)
}

/// Records an issue unless an error of a type is thrown, which comes back; for `Never`, if one is thrown.
@discardableResult
public func expect<Failure: Error>(
    throws type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, _ body: () throws -> some Any
) -> Failure? {
    let result = Result { _ = try body() }
    return failure(result, comment(), file, line)
}

/// Records an issue unless an error of a type is thrown, which comes back. What waits for nothing needs no `await`.
@_disfavoredOverload @discardableResult
public func expect<Failure: Error>(
    throws type: Failure.Type, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> some Any
) async -> Failure? {
    var result = Result<Void, any Error>.success(())
    do { _ = try await body() } catch { result = .failure(error) }
    return failure(result, comment(), file, line)
}

/// Records an issue unless this error is thrown.
public func expect<Failure: Error & Equatable>(
    throws expected: Failure, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line, _ body: () throws -> some Any
) {
    let error = expect(throws: Failure.self, comment(), file: file, line: line, body)
    if let error { expect(error, is: expected, comment(), file: file, line: line) }
}

/// Records an issue unless this error is thrown.
@_disfavoredOverload
public func expect<Failure: Error & Equatable>(
    throws expected: Failure, file: String = #fileID, line: Int = #line,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> some Any
) async {
    let error = await expect(throws: Failure.self, file: file, line: line, body)
    if let error { expect(error, is: expected, file: file, line: line) }
}

private func failure<Failure: Error>(
    _ result: Result<Void, any Error>, _ comment: Comment?, _ file: String, _ line: Int
) -> Failure? {
    if case .failure(let error as Failure) = result { return error }
    if case .success = result, Failure.self == Never.self { return nil }
    let words = comment.map { ": \($0)" } ?? ""
    recordIssue("not \(Failure.self), but \(result)\(words)", file: file, line: line)
    return nil
}

/// A value that is there, or an error that says where it is missing.
public func require<Value>(
    _ value: Value?, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line
) throws -> Value {
    if let value { return value }
    throw Unmet(comment: comment(), at: "\(file):\(line)")
}

/// Throws an error that says where a condition is false.
public func require(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
    file: String = #fileID, line: Int = #line
) throws {
    guard condition else { throw Unmet(comment: comment(), at: "\(file):\(line)") }
}

private struct Unmet: Error {
    let comment: Comment?
    let at: String
}
