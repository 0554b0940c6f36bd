import BrowserSessions
import SessionInterop
import Testing

/// The text of a copy of sessions.
func canonicalJSON(_ sessions: [SessionSnapshot]) throws -> [UInt8] {
    var text: [UInt8] = []
    try CanonicalJSON.write(sessions) { text += $0 }
    return text
}

extension TabSnapshot {
    /// The saved history.
    func history() throws -> NavigationHistory {
        try NavigationHistory(encoded: try #require(states[.navigation]))
    }
}

/// The error with which work is refused.
func refusal(
    sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Any
) throws -> StorageError {
    try #require(throws: StorageError.self, sourceLocation: sourceLocation) { _ = try work() }
}
