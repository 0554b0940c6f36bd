import BrowserSessions

/// An error that says how a backend broke a requirement.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected and what was found, without session content.
    public let message: String

    /// Creates an error from what was expected and what was found, without session content.
    public init(_ message: String) { self.message = message }

    public var description: String { message }
}

/// An error that says that the harness or the machine, never the backend, prevented a verdict.
public struct HarnessFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, such as a call of the harness that failed.
    public let message: String

    /// Creates an error from a message that says what went wrong.
    public init(_ message: String) { self.message = message }

    public var description: String { message }
}

/// An error that says that a case found nothing to try, so that passing would prove nothing.
struct NotTried: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Throws a ``Violation`` unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(message()) }
}

/// Throws a ``Violation`` unless both values are equal.
///
/// - Parameter subject: what is compared, for the message: `the title of the second tab`.
func requireEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ subject: @autoclosure () -> String
) throws {
    guard found != expected else { return }
    throw Violation("\(subject()): expected \(brief(expected)), found \(brief(found))")
}

/// Returns the value if it is not `nil`; throws a ``Violation`` otherwise.
func unwrap<Value>(_ value: Value?, _ message: @autoclosure () -> String) throws -> Value {
    guard let value else { throw Violation(message()) }
    return value
}

/// Returns the result of a call that must succeed; otherwise throws a ``Violation`` with its error.
@discardableResult
func requireSuccess<Success>(
    _ subject: @autoclosure () -> String, _ call: () async throws -> Success
) async throws -> Success {
    do { return try await call() } catch { throw Violation("\(subject()): \(error)") }
}

/// Returns the error of a call that must throw a ``StorageError`` with one of the codes; throws a
/// ``Violation`` otherwise.
@discardableResult
func requireError(
    _ codes: StorageError.Code..., from subject: String, _ call: () async throws -> Void
) async throws -> StorageError {
    let wanted = codes.map { ".\($0.rawValue)" }.joined(separator: " or ")
    let error = try await storageError(from: subject, wanted, call)
    try require(codes.contains(error.code), "\(subject): expected \(wanted), was \(error.full)")
    return error
}

/// Returns the error of a call; throws a ``Violation`` if there is none or one of another type.
func storageError(
    from subject: String, _ wanted: String = "an error", _ call: () async throws -> Void
) async throws -> StorageError {
    do {
        try await call()
    } catch let error as StorageError {
        return error
    }
    throw Violation("\(subject): expected \(wanted), no error was thrown")
}

private func brief(_ value: some Any) -> String {
    let text = String(describing: value)
    return text.count <= 200 ? text : "\(text.prefix(200))…"
}
