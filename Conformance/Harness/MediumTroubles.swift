/// A state in which a medium serves its stores only in part or not at all, as operators see it.
public enum MediumTrouble: String, Sendable, CaseIterable {
    /// The medium ends without notice and is back when the trouble begins. It may have lost what
    /// was not durable, and all its connections are gone.
    case restarted = "a restart"
    /// The medium doesn't answer.
    case stopped = "stopped"
    /// A read-only copy has replaced the medium.
    case readOnly = "only read"
    /// The medium has no space left for new content.
    case outOfSpace = "out of space"
    /// The medium takes no further connections and may have ended existing ones. A medium with
    /// connections that serve several stores must have ended them, or it is in no trouble at all.
    case outOfConnections = "out of connections"
    /// The medium has ended all connections and refuses logins of the stores.
    case loginRefused = "refused logins"
    /// The stores can read but no longer change anything, although their connections remain.
    case rightsRevoked = "revoked rights"
    /// The medium keeps what is written for less than its stores promise: somebody has switched its
    /// syncs or its replicas off.
    case keepsLess = "kept for less"
    /// The medium's records say that a newer version wrote them.
    case newerFormat = "a newer format"
}

/// How a harness causes trouble in its medium.
public struct MediumTroubles: Sendable {
    /// A function that begins or ends a trouble, at least for the store at a location.
    public typealias Change =
        @Sendable (_ trouble: MediumTrouble, _ location: String) async throws -> Void

    /// The troubles that the harness can cause. Cases that need others are *not tried*.
    public var kinds: Set<MediumTrouble>
    /// Starts the trouble, which is present on return: at least for the store at the location, or
    /// for the whole medium. One case alone uses the medium meanwhile.
    public var begin: Change
    /// Ends the trouble, which is over on return.
    public var end: Change

    /// Creates the troubles that a harness can cause, with the functions that begin and end them.
    public init(
        _ kinds: Set<MediumTrouble>, begin: @escaping Change, end: @escaping Change
    ) {
        self.kinds = kinds
        self.begin = begin
        self.end = end
    }
}
