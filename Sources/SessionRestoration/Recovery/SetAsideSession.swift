import BrowserModel
public import BrowserSessions

/// A window's tabs that were set aside and can be brought back.
public struct SetAsideSession: Hashable, Sendable {
    /// The identifier of the session until it is brought back or discarded.
    public var id: SessionID
    /// The number of its tabs.
    public var tabs: Int
    /// The title, address and icon of the tab that was active or last used; `nil` if there are no tabs.
    public var shownTab: TabMetadata?
    var attributes: SessionAttributes

    /// The time when it was set aside.
    public var date: Timestamp {
        Timestamp(savedText: attributes.properties[SavedProperty.setAsideAt]) ?? .unknown
    }
    /// The reason it was set aside.
    public var reason: SetAsideReason {
        attributes.properties[SavedProperty.setAsideReason].flatMap(SetAsideReason.init)
            ?? .unknown
    }
    /// The session of the window that the tabs were in, which includes its kind; `nil` if it is not known any more.
    public var originalSession: SessionID? { attributes.originalSession }
    /// The name that the user gave to the window; empty if it had none.
    public var title: String { attributes.title }
    /// Whether the user has seen it. Limits of age and number apply only after this.
    public var isAcknowledged: Bool {
        Timestamp(savedText: attributes.properties[SavedProperty.acknowledgedAt]) != nil
    }
}

extension SavedProperty {
    /// The time when the session was set aside.
    static let setAsideAt = "browser-sessions.set-aside-at"
    static let setAsideReason = "browser-sessions.set-aside-reason"
    /// The window that the tabs were in.
    static let setAsideWindow = "browser-sessions.set-aside-window"
    /// The time when the user acknowledged that the session was set aside; absent before.
    static let acknowledgedAt = "browser-sessions.acknowledged-at"
    /// The node of the library that a node of a session that was set aside is a copy of.
    static let nodeID = "browser-sessions.node-id"
}

extension SessionAttributes {
    /// Returns the attributes for a session that receives a window's tabs.
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

    /// The attributes of the window that a session becomes when it is brought back.
    var broughtBack: SessionAttributes {
        var copy = self
        for name in [
            SavedProperty.age, SavedProperty.setAsideAt, SavedProperty.setAsideReason,
            SavedProperty.setAsideWindow,
            SavedProperty.acknowledgedAt,
        ] { copy.properties[name] = nil }
        return copy
    }

    var originalSession: SessionID? {
        properties[SavedProperty.setAsideWindow].flatMap { SessionID($0) }
    }
}
