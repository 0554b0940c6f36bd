public import BrowserModel
public import BrowserSessions

/// The reason a restorer could not complete an operation.
///
/// A restorer runs from the end of restoring until it is closed or superseded. Outside of this
/// time, most operations throw ``notRestored``, ``superseded`` or ``closed``.
public enum SessionRestorationError: Error, Sendable {
    /// Restoring has not finished, and nothing is saved before that. Call
    /// ``SessionRestorer/restore(_:isolation:)`` and wait for it.
    case notRestored
    /// Restoring is in progress or done. It happens only once.
    case alreadyRestored
    /// The restorer was closed.
    case closed
    /// Another restorer began to use the store after this one. That one continues, and this one
    /// stops, so that neither reverts what the other saves. Use the other one, and close a restorer
    /// before you create another for its store.
    case superseded
    /// The profile with this name has a restorer that is not closed. Use that one, or close it first.
    case profileHasRestorer(String)
    /// The store failed. Unsaved changes are kept and saved later.
    case storage(StorageError)
    /// A window could not be opened.
    case window(WindowListError)
    /// Nothing is saved under this identifier.
    case unknownSession(SessionID)
    /// Something could not be read at launch, so nothing is cleaned up until it can be read.
    case suspiciousLoad
    /// No closed tab has this identifier. It was reopened, or dropped for its age.
    case unknownClosedTab(TabID)
    /// No regular window is open to receive the tab.
    case noOpenWindow
    /// A tab list refused the change. Nothing is lost.
    case tabList(TabListError)
    /// This operation is only for regular windows.
    case notRegular(SessionID)
    /// The tab is not in an inactive window that this restorer knows.
    case notInactive(TabID)
    /// There is nothing to undo for this window: its "close all" was confirmed or never happened.
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
