/// An actor of a server that holds the windows and tabs of one user or of several.
///
/// The model's classes live inside the actor and never leave it. Calls of one host never overlap.
public protocol SessionHost: Actor {
    /// The identifier of the host for a ``SessionLifecycle`` and its errors, such as the user's
    /// name. It never changes and is unique among the hosts of a lifecycle.
    nonisolated var id: String { get }

    /// Opens the store and restores the sessions. It must create a restorer and open a store each
    /// time. After a failure, it is called again only after ``endSessions()``.
    ///
    /// The task is canceled if the host is removed or the server shuts down meanwhile.
    ///
    /// - Throws: any error. ``endSessions()`` is called, and the host is then
    ///   ``SessionHostState/failed(_:)`` unless it is being removed or the server shuts down.
    func beginSessions() async throws

    /// Saves everything and closes the store: closes the restorer, then the storage.
    ///
    /// Called once after each call of ``beginSessions()``, even one that threw, to release what was
    /// opened. If it throws, removing the host again or shutting down calls it again.
    ///
    /// - Throws: any error. The host is then ``SessionHostState/failed(_:)`` and stays in the
    ///   lifecycle.
    func endSessions() async throws
}
