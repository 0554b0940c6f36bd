public import BrowserSessions

/// The saved state of a tab's page, from which the tab continues.
public struct TabState: Hashable, Sendable {
    /// The pages that the user can go back and forward to.
    public var history: NavigationHistory
    /// Opaque bytes of the engine, such as scroll position and form content; `nil` if there are
    /// none.
    public var native: [UInt8]?
    /// Blobs of the host, with names that it defines.
    public var extra: [StateName: [UInt8]]

    /// Creates a state; by default, one without pages.
    public init(
        history: NavigationHistory = NavigationHistory(), native: [UInt8]? = nil,
        extra: [StateName: [UInt8]] = [:]
    ) {
        self.history = history
        self.native = native
        self.extra = extra
    }
}

/// The source of an unrealized tab's state.
public protocol TabStateSource: AnyObject {
    /// Returns the state if it is in memory; `nil` if it must be read.
    func stateInMemory(of tab: Tab) -> TabState?

    /// Reads the state. If no state was ever saved, or it is damaged, returns one history entry
    /// with the tab's address and title.
    ///
    /// - Throws: an error only if reading may succeed later.
    func loadState(of tab: Tab) async throws -> TabState

    /// Requests that the tab be realized soon, for callers that cannot wait.
    func realizeSoon(_ tab: Tab)
}

/// A state that stays in memory until the tab is realized.
public final class HeldTabState: TabStateSource {
    /// The state from which the tab continues.
    public let state: TabState

    /// Creates a source that holds a state.
    public init(_ state: TabState) { self.state = state }

    public func stateInMemory(of tab: Tab) -> TabState? { state }
    public func loadState(of tab: Tab) async throws -> TabState { state }
    public func realizeSoon(_ tab: Tab) {}
}
