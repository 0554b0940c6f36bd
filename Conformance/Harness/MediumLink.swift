public import BrowserSessions

/// A connection between stores and their shared medium that can lose, delay, and refuse traffic.
///
/// For a medium behind a socket, a ``LoopbackProxy`` is the wire, and the link opens stores at its
/// port.
public struct MediumLink: Sendable {
    /// A function that opens the store of a configuration over the link.
    public typealias Open =
        @Sendable (StorageConfiguration) async throws(StorageError) -> any SessionStorage

    /// What connects the stores and the medium.
    public var wire: any MediumWire
    /// Opens the store at a location of the harness over the wire, as one process opens its stores.
    public var open: Open

    /// Creates a link over a wire, with the function that opens stores over it.
    public init(over wire: any MediumWire, open: @escaping Open) {
        self.wire = wire
        self.open = open
    }

    /// Makes a link.
    ///
    /// - Parameter timeout: how long a store opened over the link waits for its medium within a
    ///   call before the call throws `unavailable`.
    public typealias Maker = @Sendable (_ timeout: Duration) async throws -> MediumLink
}

/// Carries the traffic between stores and their medium, and disturbs it as a network can.
///
/// Counts are in bytes, or in any other unit that a wire distinguishes.
public protocol MediumWire: Sendable {
    /// The traffic so far.
    var traffic: WireTraffic { get }

    /// Cuts a connection in both directions, once, after `count` more has gone one way over all
    /// connections. What has gone still reaches its receiver; with a count of 0, nothing does.
    func cut(_ way: WireWay, after count: Int)

    /// Cancels a cut that has not happened yet.
    func cutNothing()

    /// Holds new traffic until ``free()``.
    ///
    /// - Parameters:
    ///   - ways: the directions in which traffic is held.
    ///   - count: how much may still go that way.
    ///   - onlyPresent: whether connections that are made later are served.
    func hold(_ ways: Set<WireWay>, after count: Int, onlyPresent: Bool)

    /// Releases the held traffic. Blocks for at most 10 s, until the traffic has reached its
    /// receivers and the medium has answered it or closed the connection. The sender may be gone.
    func free()

    /// Blocks until traffic is held.
    func waitUntilHeld()

    /// Sets whether new connections fail at once. Existing connections continue.
    func refuse(_ isRefusing: Bool)
}

extension MediumWire {
    /// Holds all new traffic.
    func hold(_ ways: Set<WireWay>, onlyPresent: Bool = false) {
        hold(ways, after: 0, onlyPresent: onlyPresent)
    }
}

/// The direction of traffic, as the store sees it.
public enum WireWay: String, Sendable, CaseIterable {
    /// From the stores to the medium, or from the medium to the stores.
    case sent, received
}

/// The traffic that a wire has carried.
public struct WireTraffic: Hashable, Sendable {
    /// How much the stores have sent to the medium, in the unit of the wire.
    public var sent = 0
    /// How much the stores have received from the medium, in the unit of the wire.
    public var received = 0
    /// The number of connections made.
    public var connections = 0
    /// The number of connections cut.
    public var cuts = 0

    /// Creates a count without any traffic.
    public init() {}

    /// The traffic in one direction, in the unit of the wire.
    public subscript(_ way: WireWay) -> Int {
        get { way == .sent ? sent : received }
        set { if way == .sent { sent = newValue } else { received = newValue } }
    }
}
