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
