/// An actor of a server that keeps a user's windows and tabs: one for each user, or one for several.
///
/// The model's classes live inside the actor; nothing of them leaves it.
public protocol SessionHost: Actor {
    /// Opens the store and restores. Called once, before ``endSessions()``.
    func beginSessions() async throws

    /// Saves everything and closes the store: closes the restorer, then the storage. Called once
    /// when the server shuts down, also if ``beginSessions()`` threw.
    func endSessions() async throws
}
