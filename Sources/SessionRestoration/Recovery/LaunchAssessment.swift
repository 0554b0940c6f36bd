public import BrowserSessions

/// How the process before this one ended, and what follows from it.
public struct LaunchAssessment: Hashable, Sendable {
    public var kind: Kind = .firstLaunch
    public var decision: Decision = .restore
    /// Whether the host should start with what may be at fault turned off: extensions, hardware
    /// acceleration, pages that open by themselves.
    public var safeModeAdvised = false
    /// Tabs that were loading during the last crash of a loop or the one before it. They come back,
    /// but are not realized before the user selects them. Empty unless ``kind`` is a crash.
    public var suspects: Set<TabID> = []
    /// The suspects that were loading during both crashes: the ones to name to the user.
    public var repeatedSuspects: Set<TabID> = []

    public init() {}

    /// How the process before this one ended.
    public enum Kind: Hashable, Sendable {
        /// No process has left a note in this store.
        case firstLaunch
        /// It was closed in order.
        case clean
        /// It returned from `main` or called `exit` without ``SessionRestorer/close()``: what had changed
        /// since its last save is not there.
        case exited
        /// It was ended while the user saw no window of it, which systems do whenever they like.
        case endedInBackground
        /// It ended without a word while the user used it.
        ///
        /// - Parameter count: how many crashes came one soon after the other; 1 for a single one.
        case afterCrash(count: Int)
        /// It ended without a word, and was one of somebody who develops the app: see
        /// ``CrashPolicy/isDevelopment``.
        case endedInDevelopment
        /// It is this process: another restorer of it has used the store and was not closed.
        case sameProcess
        /// The system was started anew since, after a power cut for instance.
        case afterRestartOfTheSystem
        /// Its note cannot be read.
        case unknown
    }

    /// What becomes of the windows that were open.
    public enum Decision: Hashable, Sendable {
        /// They come back.
        case restore
        /// They are kept for later, and the app starts empty.
        case setAside(SetAsideReason)
    }
}

/// Why a session was set aside.
public enum SetAsideReason: String, Hashable, Sendable {
    /// The process crashed several times, one soon after the other.
    case crashLoop = "crash-loop"
    /// It crashed, and that was long ago.
    case old
    /// The window lost all its tabs, and not by the user.
    case emptied
    /// Noted by a newer version.
    case unknown
}
