/// An actor of a server that keeps a user's windows and tabs: one for each user, or one for several.
///
/// The model's classes live inside the actor; nothing of them leaves it. Calls of one host never overlap.
public protocol SessionHost: Actor {
    /// What a ``SessionLifecycle`` and its errors call the host, such as the user's name. It never changes,
    /// and no two hosts of a lifecycle have the same one.
    nonisolated var id: String { get }

    /// Opens the store and restores. Called again only after ``endSessions()`` was called, when a beginning
    /// that failed is tried again: it makes a restorer and opens a store each time.
    ///
    /// The task is cancelled when the host is removed or the server shuts down meanwhile.
    func beginSessions() async throws

    /// Saves everything and closes the store: closes the restorer, then the storage.
    ///
    /// Called once after each call of ``beginSessions()``, also if that threw: it then releases what was opened.
    /// If it throws, it may be called again, when the host is removed again or the server shuts down.
    func endSessions() async throws
}
