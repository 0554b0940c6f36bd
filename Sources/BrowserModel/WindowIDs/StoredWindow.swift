public import BrowserSessions

/// What the host knows of a window that the store has: enough to choose the next one to reopen, and to
/// show a person what it is.
public struct StoredWindow: Hashable, Sendable {
    public var id: WindowID
    public var kind: SessionKind
    /// When the user closed it; `nil` if it was open when the app ended, and
    /// `Timestamp.unknown` if it was closed at a time that nobody recorded.
    public var closedAt: Timestamp?
    /// Orders it among all that was closed, whatever the clock said: the later closing has the greater
    /// number. `nil` if it is open or has none.
    public var closingNumber: Int64?
    /// When the user last used it.
    public var lastActiveAt: Timestamp
    /// Whether the store could read it. An unreadable window is still offered, because refusing
    /// it would hide it for ever; the host sees the mark and does not save over it.
    public var isReadable: Bool
    /// The name that the user gave to the window; empty if there is none.
    public var title: String
    /// How many tabs it has; `nil` if that is not known.
    public var tabs: Int?
    /// How many tabs are in places that belong to it, such as its inactive ones; `nil` if that is not
    /// known.
    public var hiddenTabs: Int?
    /// The tab that was active, or used last; `nil` if there is none, or it is not known.
    public var shownTab: TabGlance?

    public init(
        id: WindowID,
        kind: SessionKind = .regular,
        closedAt: Timestamp? = nil,
        closingNumber: Int64? = nil,
        lastActiveAt: Timestamp = .unknown,
        isReadable: Bool = true,
        title: String = "",
        tabs: Int? = nil,
        hiddenTabs: Int? = nil,
        shownTab: TabGlance? = nil
    ) {
        self.id = id
        self.kind = kind
        self.closedAt = closedAt
        self.closingNumber = closingNumber
        self.lastActiveAt = lastActiveAt
        self.isReadable = isReadable
        self.title = title
        self.tabs = tabs
        self.hiddenTabs = hiddenTabs
        self.shownTab = shownTab
    }

    /// What the window is called where it is saved.
    public var sessionID: SessionID { SessionID(window: id, kind: kind) }

    /// Whether it is known that reopening it brings no tab back.
    public var isEmpty: Bool { isReadable && tabs == 0 && hiddenTabs == 0 }
}

extension SessionKind {
    /// Whether a window of this kind can be reopened: what is off the record cannot.
    package var isReopenable: Bool { role == .window && side == .regular }
}

extension Identifier where Subject == WindowSubject {
    /// Stands for "no window" in events that belong to none; never the name of a window.
    public static let unavailable = WindowID(
        high: 0xE1E1_E1E1_E1E1_E1E1, low: 0xE1E1_CD68_A019_860B)
    /// Stands for the whole profile where a session belongs to no window, as the recently closed
    /// tabs do; never the name of a window.
    public static let profileWide = WindowID(
        high: 0x9D4F_8B1C_52E7_4A06, low: 0xB3A8_6C0F_71D2_5E94)
}

/// What ``WindowManager/offer(_:)`` did with the windows it was given. Every window is in exactly
/// one of the lists, in the order in which it was given.
public struct WindowOfferReport: Hashable, Sendable {
    /// Windows that may be reopened, or that are open or reserved now and are known to be stored.
    public internal(set) var accepted: [WindowID] = []
    /// Sentinels, which no store should hold. They were left out; look how they got there.
    public internal(set) var sentinels: [WindowID] = []
    /// Ids that came a second time in one call. The first one counts.
    public internal(set) var duplicates: [WindowID] = []

    /// Whether every window was taken.
    public var isComplete: Bool { sentinels.isEmpty && duplicates.isEmpty }
}
