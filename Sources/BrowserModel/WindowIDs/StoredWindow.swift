public import BrowserSessions

/// What the host knows about a window in the store: enough to choose the next one to reopen, and to
/// describe it to a person.
public struct StoredWindow: Hashable, Sendable {
    /// The identifier with which the window is reopened.
    public var id: WindowID
    /// The kind of the window; `regular` by default.
    public var kind: SessionKind
    /// The time at which the user closed it; `nil` if it was open when the app ended, and
    /// `Timestamp.unknown` if it was closed at an unrecorded time.
    public var closedAt: Timestamp?
    /// The position of its closing among all others, independent of the clock: a later closing has
    /// a greater number. `nil` if it is open or has none.
    package var closingNumber: Int64?
    /// The time at which the user last used it.
    public var lastActiveAt: Timestamp
    /// Whether the store could read it. An unreadable window is still offered, because it would
    /// otherwise be hidden forever; the host sees this flag and does not save over it.
    public var isReadable: Bool
    /// The name that the user gave the window; empty if there is none.
    public var title = ""
    /// The number of its tabs; `nil` if unknown.
    public var tabs: Int?
    /// The number of tabs in its companions, such as its inactive tabs; `nil` if unknown.
    public var hiddenTabs: Int?
    /// The tab that was active or last used; `nil` if there is none or it is unknown.
    public var shownTab: TabMetadata?

    /// Creates the description of a window; by default, a readable one that was not closed.
    package init(
        id: WindowID, kind: SessionKind = .regular, closedAt: Timestamp? = nil,
        lastActiveAt: Timestamp = .unknown, isReadable: Bool = true
    ) {
        self.id = id
        self.kind = kind
        self.closedAt = closedAt
        self.lastActiveAt = lastActiveAt
        self.isReadable = isReadable
    }

    /// The identifier under which the window is saved.
    package var sessionID: SessionID { SessionID(window: id, kind: kind) }

    /// Whether reopening it is known to bring back no tabs.
    package var isEmpty: Bool { isReadable && tabs == 0 && hiddenTabs == 0 }
}

extension SessionKind {
    /// Whether windows of this kind can be reopened; incognito windows cannot.
    package var isReopenable: Bool { role == .window && partition == .regular }
}

extension Identifier where Subject == WindowSubject {
    /// Represents "no window" in events that do not belong to one; never identifies a window.
    public static let unavailable = WindowID(
        high: 0xE1E1_E1E1_E1E1_E1E1, low: 0xE1E1_CD68_A019_860B)
    /// Represents the whole profile for a session that does not belong to a window, such as the
    /// recently closed tabs; never identifies a window.
    public static let profileWide = WindowID(
        high: 0x9D4F_8B1C_52E7_4A06, low: 0xB3A8_6C0F_71D2_5E94)
}
