public import BrowserModel
public import BrowserSessions

/// Tabs of a window that were taken out of the user's way and can be brought back.
public struct SetAsideSession: Hashable, Sendable {
    /// Where it is kept, and what it is called until it is brought back or discarded.
    public var id: SessionID
    /// When it was set aside.
    public var date: Timestamp
    public var reason: SetAsideReason
    /// The window that the tabs were in; `nil` if that is not known any more.
    public var originalWindow: WindowID? { originalSession?.window }
    /// The same with its kind.
    public var originalSession: SessionID?
    /// The name that the user gave to the window; empty if there was none.
    public var title: String
    /// How many tabs it has.
    public var tabs: Int
    /// Title, address and icon of the tab that was active, or used last; `nil` if it has no tabs.
    public var shownTab: TabGlance?
    /// Whether the user has seen it: only then its age and number matter.
    public var isAcknowledged: Bool
}

extension SavedProperty {
    /// When the session was set aside.
    static let setAsideAt = "browser-sessions.set-aside-at"
    static let setAsideReason = "browser-sessions.set-aside-reason"
    /// The window in which the tabs were.
    static let setAsideWindow = "browser-sessions.set-aside-window"
    /// When the user has seen that it was set aside; absent before.
    static let acknowledgedAt = "browser-sessions.acknowledged-at"
}

extension SessionAttributes {
    /// Those of a session to which a window's tabs are moved.
    func setAside(from window: SessionID, _ reason: SetAsideReason, at time: Timestamp)
        -> SessionAttributes
    {
        var copy = self
        copy.properties[SavedProperty.setAsideAt] = time.savedText
        copy.properties[SavedProperty.setAsideReason] = reason.rawValue
        copy.properties[SavedProperty.setAsideWindow] = window.description
        copy.properties[SavedProperty.acknowledgedAt] = nil
        copy.closedAt = nil
        copy.ageMark = nil
        return copy
    }

    /// Those of the window that is made of a session that was set aside.
    var broughtBack: SessionAttributes {
        var copy = self
        for name in [
            SavedProperty.age, SavedProperty.setAsideAt, SavedProperty.setAsideReason,
            SavedProperty.setAsideWindow,
            SavedProperty.acknowledgedAt,
        ] { copy.properties[name] = nil }
        return copy
    }

    var acknowledgedAt: Timestamp? {
        Timestamp(savedText: properties[SavedProperty.acknowledgedAt])
    }

    var originalSession: SessionID? {
        properties[SavedProperty.setAsideWindow].flatMap { SessionID($0) }
    }
}

extension SetAsideSession {
    init(_ id: SessionID, _ record: SetAsideSessions.Record) {
        let properties = record.attributes.properties
        self.init(
            id: id,
            date: Timestamp(savedText: properties[SavedProperty.setAsideAt]) ?? .unknown,
            reason: properties[SavedProperty.setAsideReason].flatMap(SetAsideReason.init)
                ?? .unknown,
            originalSession: record.attributes.originalSession, title: record.attributes.title,
            tabs: record.tabs, shownTab: record.active.map { TabGlance($0) },
            isAcknowledged: record.attributes.acknowledgedAt != nil)
    }
}
