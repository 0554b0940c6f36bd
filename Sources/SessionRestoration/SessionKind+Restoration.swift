public import BrowserSessions

/// What a restorer saves beside windows. A host that looks at a store itself finds these, too.
extension SessionKind {
    /// Tabs that were closed together and can still be brought back as they were; see ``CloseAll``.
    public static let backup = SessionKind(rawValue: "backup") ?? .recentlyClosed
    /// Notes of a restorer about its own process; never a window, and without tabs.
    public static let launch = SessionKind(rawValue: "launch") ?? .setAside
    /// Tabs between two windows, whose first one is gone; never a window.
    public static let transit = SessionKind(rawValue: "in-transit") ?? .setAside
    /// Those of the off-the-record side.
    public static let incognitoTransit = SessionKind(rawValue: "incognito-in-transit") ?? .incognito
}
