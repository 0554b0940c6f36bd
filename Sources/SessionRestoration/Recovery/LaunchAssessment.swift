public import BrowserSessions

/// An assessment of how the previous process ended, and the decision that follows from it.
public struct LaunchAssessment: Hashable, Sendable {
    /// How the previous process ended.
    public var kind: Kind = .firstLaunch
    /// What happens to the windows that were open.
    public var decision: Decision = .restore
    /// Whether the host should start without features that may cause crashes, such as extensions,
    /// hardware acceleration and pages that open by themselves.
    public var safeModeAdvised = false
    /// The tabs that were loading during the last crash of a loop or the one before it. They come
    /// back, but are not realized until the user selects them. Empty unless ``kind`` is a crash.
    public var suspects: Set<TabID> = []
    /// The suspects that were loading during both crashes. Name these to the user.
    public var repeatedSuspects: Set<TabID> = []

    /// The way in which the previous process ended.
    public enum Kind: Hashable, Sendable {
        /// No process has left a note in this store.
        case firstLaunch
        /// The process was closed in an orderly way.
        case clean
        /// The process returned from `main` or called `exit` without ``SessionRestorer/close()``.
        /// Changes after its last save are lost.
        case exited
        /// The process ended while no window was visible, which systems do at any time.
        case endedInBackground
        /// The process ended without notice while the user used it.
        ///
        /// - Parameter count: the number of crashes in close succession; 1 for a single one.
        case afterCrash(count: Int)
        /// The process ended without notice during development. See ``CrashPolicy/isDevelopment``.
        case endedInDevelopment
        /// This process wrote the note: another of its restorers used the store and was not closed.
        case sameProcess
        /// The system was restarted after the process ran, for example after a power cut.
        case afterRestartOfTheSystem
        /// The process's note cannot be read.
        case unknown
    }

    /// The decision about the windows that were open.
    public enum Decision: Hashable, Sendable {
        /// The windows come back.
        case restore
        /// The windows are kept for later, and the app starts empty.
        case setAside(SetAsideReason)
    }
}

/// The reason a session was set aside.
public enum SetAsideReason: String, Hashable, Sendable {
    /// The process crashed several times in close succession.
    case crashLoop = "crash-loop"
    /// The process crashed, and that was a long time ago.
    case old
    /// A newer version wrote another reason.
    case unknown
}
