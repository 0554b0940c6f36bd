import BrowserSessions

/// Says how a backend broke a requirement.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected and what was found, without content of sessions.
    public let message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}

/// Says that a case could not be judged because of what is around the backend: its harness, the
/// machine. Never the backend's fault.
public struct HarnessFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}

/// Says that a case found nothing to try it on, so that its passing would prove nothing.
struct NotTried: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Throws a ``Violation`` unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(message()) }
}

/// Throws a ``Violation`` unless both are equal.
///
/// - Parameter subject: what is compared, for the message: `the title of the second tab`.
func requireEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ subject: @autoclosure () -> String
) throws {
    guard found != expected else { return }
    throw Violation("\(subject()): expected \(brief(expected)), found \(brief(found))")
}

/// The value without `nil`; throws a ``Violation`` if there is none.
func unwrap<Value>(_ value: Value?, _ message: @autoclosure () -> String) throws -> Value {
    guard let value else { throw Violation(message()) }
    return value
}

/// Throws a ``Violation`` unless the call throws a ``StorageError`` with one of the codes; returns
/// the error.
@discardableResult
func requireError(
    _ codes: StorageError.Code..., from subject: String, _ call: () async throws -> Void
) async throws -> StorageError {
    let wanted = codes.map { ".\($0.rawValue)" }.joined(separator: " or ")
    do {
        try await call()
    } catch let error as StorageError {
        guard codes.contains(error.code) else {
            throw Violation("\(subject): expected \(wanted), was \(error.full)")
        }
        return error
    }
    throw Violation("\(subject): expected \(wanted), no error was thrown")
}

private func brief(_ value: some Any) -> String {
    let text = String(describing: value)
    return text.count <= 200 ? text : "\(text.prefix(200))…"
}
