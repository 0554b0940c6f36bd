/// A problem that was found in a source.
public struct ImportProblem: Hashable, Sendable {
    /// Whether something was lost, corrected, or only noted.
    public var severity: Severity
    /// The location, such as `byte 1034`, `windows[0].tabs[3].index` or `line 12`.
    public var location: String
    /// What was wrong, and what was done.
    public var message: String

    /// The severity of a problem.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Worth knowing, but nothing is wrong.
        case note
        /// A value broke a rule and was corrected. No tab and no history is lost.
        case repair
        /// Something could not be read.
        case loss
    }

    /// Creates a problem. The message must not hold an address or a title.
    public init(_ severity: Severity, at location: String, _ message: String) {
        self.severity = severity
        self.location = location
        self.message = message
    }
}

extension ImportProblem: CustomStringConvertible {
    /// The problem as text: `loss at byte 1034: …`
    public var description: String { "\(severity.rawValue) at \(location): \(message)" }
}
