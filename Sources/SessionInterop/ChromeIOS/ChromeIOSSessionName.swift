import BrowserSessions

/// What the name of a session directory says.
///
/// Both layouts of Chrome for iOS name a session alike and number its tabs alike, so a session that
/// the browser moved from one to the other keeps its identifiers here.
struct ChromeIOSSessionName {
    let name: String
    let identity: SourceIdentity
    let window: WindowID
    let kind: SessionKind

    static let inactiveSuffix = "-Inactive"

    init(_ name: String) {
        self.name = name
        let isInactive = name.hasSuffix(Self.inactiveSuffix)
        let scene = isInactive ? String(name.dropLast(Self.inactiveSuffix.count)) : name
        identity = SourceIdentity(.chromeIOS, key: scene)
        window = WindowID(scene) ?? identity.identifier("window")
        kind = isInactive ? .inactive : .regular
    }

    /// A session of the window.
    func draft(_ kind: SessionKind, at location: String) -> SessionDraft {
        var draft = SessionDraft(id: SessionID(window: window, kind: kind))
        draft.location = location
        draft.attributes.properties["chrome-ios.session-id"] = name
        return draft
    }
}
