public import BrowserSessions

/// All that a tab needs to go on where it was: what is saved of its page.
public struct TabState: Hashable, Sendable {
    /// What the user can go back and forward to.
    public var history: NavigationHistory
    /// Opaque bytes of the engine (scroll position, form content); `nil` if it has none.
    public var native: [UInt8]?
    /// Blobs of the host, by names of its own.
    public var extra: [StateName: [UInt8]]

    public init(
        history: NavigationHistory = NavigationHistory(), native: [UInt8]? = nil,
        extra: [StateName: [UInt8]] = [:]
    ) {
        self.history = history
        self.native = native
        self.extra = extra
    }
}

/// Where the state of an unrealized tab comes from.
public protocol TabStateSource: AnyObject {
    /// The state, if it is at hand; `nil` if it must be read.
    func stateInMemory(of tab: Tab) -> TabState?

    /// Reads the state. When nothing was ever saved, or what was saved is damaged, the answer is
    /// one history entry made of the tab's address and title; it throws only if reading may succeed
    /// later.
    func loadState(of tab: Tab) async throws -> TabState

    /// Asks to realize the tab soon: for callers that cannot wait.
    func realizeSoon(_ tab: Tab)
}

/// A state that is held in memory until the tab is realized.
public final class HeldTabState: TabStateSource {
    public let state: TabState

    public init(_ state: TabState) { self.state = state }

    public func stateInMemory(of tab: Tab) -> TabState? { state }
    public func loadState(of tab: Tab) async throws -> TabState { state }
    public func realizeSoon(_ tab: Tab) {}
}
