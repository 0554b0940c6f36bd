public import BrowserModel
public import BrowserSessions

/// Why a restorer could not do what it was asked for.
public enum SessionRestorationError: Error, Sendable {
    /// Nothing is saved before restoring has finished: call ``SessionRestorer/restore(_:isolation:)``
    /// and wait for it.
    case notRestored
    /// Restoring is under way or done; it is done once.
    case alreadyRestored
    /// The restorer was closed.
    case closed
    /// Another restorer began to use the store after this one: it goes on, and this one does nothing any
    /// more, so that neither undoes what the other saves. Use that one, and close a restorer before
    /// another is made over its store.
    case superseded
    /// The profile of that name has a restorer that was not closed: use that one, or close it first.
    case profileHasRestorer(String)
    /// The store failed. What was to be saved is kept and tried again.
    case storage(StorageError)
    /// A window could not be opened.
    case window(WindowListError)
    /// Nothing is saved under that name.
    case unknownSession(SessionID)
    /// The window is open, so what is saved of it stays.
    case windowIsOpen(WindowID)
    /// Something could not be read at launch, so nothing is tidied away until it can be.
    case suspiciousLoad
    /// No closed tab has that identifier: it was reopened, or dropped for its age.
    case unknownClosedTab(TabID)
    /// No regular window is open into which the tab could be put.
    case noOpenWindow
    /// A tab list refused the change; nothing is lost by it.
    case tabList(TabListError)
    /// Only tabs of regular windows can be closed so that it can be undone.
    case notRegular(SessionID)
    /// The tab is not in an inactive window that this restorer knows.
    case notInactive(TabID)
    /// There is no undo for that window: it was confirmed, or never begun.
    case noBackup(WindowID)
}

extension SessionRestorationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notRestored:
            "Nothing is saved or reopened before restoring has finished: await restore() first."
        case .alreadyRestored: "Restoring is under way or done: call restore() once."
        case .closed: "The session restorer was closed: make a new one."
        case .superseded:
            """
            Another restorer uses the store by now, so this one does nothing any more: use that one, and \
            close a restorer before you make another over its store.
            """
        case .profileHasRestorer(let name):
            "Profile '\(name)' has a restorer already: use that one, or close it first."
        case .storage(let error): "The store failed: \(error)"
        case .window(let error): "\(error)"
        case .unknownSession(let id): "Nothing is saved as \(id)."
        case .windowIsOpen(let id):
            "Window \(id) is open, so what is saved of it stays: close it first."
        case .suspiciousLoad:
            "Something could not be read at launch, so nothing is tidied away: see the report."
        case .unknownClosedTab(let id): "No closed tab is \(id): it was reopened or dropped."
        case .noOpenWindow: "No regular window is open: open one first, and try again."
        case .tabList(let error): "\(error)"
        case .notRegular(let id): "\(id) is no regular window: this is for regular ones only."
        case .notInactive(let id): "Tab \(id) is not an inactive tab of an open window."
        case .noBackup(let id): "There are no closed tabs of window \(id) to bring back."
        }
    }
}
