public import BrowserSessions

/// A way between stores and the medium that they share, on which the suite can lose, hold back and refuse
/// what goes over it.
///
/// For a medium behind a socket a ``LoopbackProxy`` is the wire, and the link opens stores at its port.
public struct MediumLink: Sendable {
    public typealias Open =
        @Sendable (StorageConfiguration) async throws(StorageError) -> any SessionStorage

    /// What lies between the stores and the medium.
    public var wire: any MediumWire
    /// Opens the store at a location of the harness over the wire, as one process opens its stores.
    public var open: Open

    public init(over wire: any MediumWire, open: @escaping Open) {
        self.wire = wire
        self.open = open
    }

    /// Makes a link.
    ///
    /// - Parameter patience: how long a store that is opened over it waits for its medium within a call
    ///   before that throws `unavailable`.
    public typealias Maker = @Sendable (_ patience: Duration) async throws -> MediumLink
}

/// Carries what stores and their medium send each other, and does to it what a network may do.
///
/// Counts are in bytes, or in whatever else a wire can tell apart.
public protocol MediumWire: Sendable {
    /// What has gone over it so far.
    var traffic: WireTraffic { get }

    /// Cuts a connection, both ways, once so much has gone one way over all of them from now on. What has
    /// gone still reaches its receiver; with 0 nothing does. Cuts once.
    func cut(_ way: WireWay, after count: Int)

    /// A cut that did not happen yet does not happen any more.
    func cutNothing()

    /// What comes from now on is kept until ``free()``.
    ///
    /// - Parameters:
    ///   - count: how much may still go that way.
    ///   - onlyPresent: whether connections that are made later are served.
    func hold(_ ways: Set<WireWay>, after count: Int, onlyPresent: Bool)

    /// Lets go on what was kept. Blocks until it has reached its receivers, and the medium has answered
    /// what it got or ended the connection; 10 s at most. Whoever sent it may be gone.
    func free()

    /// Blocks until something is kept.
    func waitUntilHeld()

    /// Whether new connections fail at once. Those that there are go on.
    func refuse(_ isRefusing: Bool)
}

extension MediumWire {
    /// Keeps all that comes from now on.
    func hold(_ ways: Set<WireWay>, onlyPresent: Bool = false) {
        hold(ways, after: 0, onlyPresent: onlyPresent)
    }
}

/// Which way something goes, as the store sees it.
public enum WireWay: String, Sendable, CaseIterable {
    case sent, received
}

/// What has gone over a wire.
public struct WireTraffic: Hashable, Sendable {
    public var sent = 0
    public var received = 0
    /// How many connections were made.
    public var connections = 0
    /// How many of them were cut.
    public var cuts = 0

    public init() {}

    public subscript(_ way: WireWay) -> Int {
        get { way == .sent ? sent : received }
        set { if way == .sent { sent = newValue } else { received = newValue } }
    }
}
