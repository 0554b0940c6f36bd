public import BrowserSessions

/// The saved state of a tab's page, from which the tab continues.
public struct TabState: Hashable, Sendable {
    /// The pages that the user can go back and forward to.
    public var history: NavigationHistory
    /// The bytes that the web engine captured, such as scroll position and form content; `nil` if
    /// there are none.
    public var native: [UInt8]?
    /// What the engine names the format of these bytes, see ``WebEngine/nativeFormat``; `nil` if any
    /// engine may get them, since they were imported or their engine names no format.
    public var nativeFormat: String?
    /// The numbers of entries at the ends of the history that the engine never had.
    package var adoptedBefore = 0
    package var adoptedAfter = 0
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
