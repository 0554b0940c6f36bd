/// A state in which a medium serves less than its stores need, or not at all: what operators meet.
public enum MediumTrouble: String, Sendable, CaseIterable {
    /// It ends without notice, and is there again when the trouble begins: it may have lost what was not
    /// durable, and knows no connection any more.
    case restarted = "a restart"
    /// Nobody answers.
    case stopped = "stopped"
    /// It was replaced by a copy that takes no changes.
    case readOnly = "only read"
    /// It has no space left for what is new.
    case outOfSpace = "out of space"
    /// It takes no further connections. It may have ended those that there were: of a medium whose
    /// connections serve several stores it must have, to be in trouble at all.
    case outOfConnections = "out of connections"
    /// It ended all connections, and refuses the login of the stores.
    case loginRefused = "refused logins"
    /// The stores may read but not change anything any more, although their connections stay.
    case rightsRevoked = "revoked rights"
    /// Its records say that a newer version wrote them.
    case newerFormat = "a newer format"
}

/// How a harness brings its medium into trouble.
public struct MediumTroubles: Sendable {
    public typealias Change =
        @Sendable (_ trouble: MediumTrouble, _ location: String) async throws -> Void

    /// The troubles that it can make; the cases of others are *not tried*.
    public var kinds: Set<MediumTrouble>
    /// When it returns, the trouble is there: at least for the store at the location, or for the whole
    /// medium. One case alone uses the medium meanwhile.
    public var begin: Change
    /// When it returns, the trouble is over.
    public var end: Change

    public init(
        _ kinds: Set<MediumTrouble>, begin: @escaping Change, end: @escaping Change
    ) {
        self.kinds = kinds
        self.begin = begin
        self.end = end
    }
}
