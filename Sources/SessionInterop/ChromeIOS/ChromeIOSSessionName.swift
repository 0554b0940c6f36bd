import BrowserSessions

/// The meaning of a session directory's name.
///
/// Both layouts of Chrome for iOS use the same session names and tab numbers. A session that the
/// browser moved from one to the other therefore keeps its identifiers here.
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

    /// Returns a session of the window.
    func draft(_ kind: SessionKind, at location: String) -> SessionDraft {
        var draft = SessionDraft(id: SessionID(window: window, kind: kind), location: location)
        draft.attributes.properties["chrome-ios.session-id"] = name
        return draft
    }
}
