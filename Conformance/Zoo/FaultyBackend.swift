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
    /// See ``harness(named:over:)``.
    var dress: @Sendable (BackendHarness) -> any StorageHarness = { $0 }

    /// Every faulty backend that the suite has.
    public static var all: [FaultyBackend] {
        Mutant.all.map {
            FaultyBackend(
                name: $0.name, breaks: $0.breaks, message: $0.message, backend: $0.backend,
                dress: $0.dress)
        }
    }

    /// Backends without anything behind them: what they pass proves little by itself.
    public static var hollow: [StorageBackend] { [.null, .echo] }

    /// The faulty or hollow backend of that name.
    public static func backend(named name: String) -> StorageBackend? {
        all.first { $0.name == name }?.backend ?? hollow.first { $0.name == name }
    }

    /// The harness through which the fault of that name shows. Some faults are in front of a
    /// backend, and a harness that opens it in the ordinary way hides them.
    ///
    /// - Parameter base: an ordinary harness of the backend of that name.
    public static func harness(named name: String, over base: BackendHarness)
        -> any StorageHarness
    {
        all.first { $0.name == name }?.dress(base) ?? base
    }
}
