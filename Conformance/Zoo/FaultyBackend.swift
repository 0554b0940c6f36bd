public import BrowserSessions

/// A backend that the suite must not let through, for tools that check the suite itself.
public struct FaultyBackend: Sendable {
    /// `forgets-on-reopen`.
    public let name: String
    /// The requirement that it was made to break.
    public let breaks: String
    /// A part of the message with which that requirement must catch it.
    public let message: String
    public let backend: StorageBackend

    /// Every faulty backend that the suite has.
    public static var all: [FaultyBackend] {
        Mutant.all.map {
            FaultyBackend(
                name: $0.name, breaks: $0.breaks, message: $0.message, backend: $0.backend)
        }
    }

    /// Backends without anything behind them: what they pass proves little by itself.
    public static var hollow: [StorageBackend] { [.null, .echo] }

    /// The faulty or hollow backend of that name.
    public static func backend(named name: String) -> StorageBackend? {
        all.first { $0.name == name }?.backend ?? hollow.first { $0.name == name }
    }
}
