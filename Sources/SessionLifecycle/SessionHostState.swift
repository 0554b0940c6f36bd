/// The state of a host of a ``SessionLifecycle``.
@nonexhaustive
public enum SessionHostState: Sendable {
    /// The host was added but has not begun yet: the lifecycle is not running, or the maximum
    /// number of other hosts is beginning.
    case waiting
    /// The host is opening its store and restoring its sessions.
    case beginning
    /// The sessions are restored. The host is ready for traffic.
    case ready
    /// The host could not begin, and what it had opened was released; retry it. Or it could not
    /// end; remove it again. See ``SessionHostFailure/phase``.
    case failed(SessionHostFailure)
    /// The host is saving its sessions and closing its store.
    case ending
    /// The host is saved and closed, or never began. A running lifecycle no longer knows it.
    case ended
}

/// A change in the state of a host of a ``SessionLifecycle``.
public struct SessionHostChange: Sendable {
    /// The host's ``SessionHost/id``.
    public let host: String
    /// The state that the host entered.
    public let state: SessionHostState
}

/// The reason that one host could not begin or end. The others continue.
public struct SessionHostFailure: Error, Sendable {
    /// The step that failed: ``SessionHost/beginSessions()`` or ``SessionHost/endSessions()``.
    public enum Phase: String, Hashable, Sendable { case begin, end }

    /// The host's ``SessionHost/id``.
    public let host: String
    /// Whether the host could not begin or could not end.
    public let phase: Phase
    /// The error that the host threw. A `StorageError` from opening names the store's location.
    public let error: any Error
}

extension SessionHostFailure: CustomStringConvertible {
    public var description: String { "host '\(host)' could not \(phase.rawValue): \(error)" }
}

/// The hosts that are ready, and those that could not begin.
public struct SessionReadiness: Sendable {
    /// The hosts that are ready, by ``SessionHost/id``, in the order in which they were added.
    public let ready: [String]
    /// The failures of the other hosts, in the order in which they were added.
    public let failures: [SessionHostFailure]
}

/// The reason that an operation of a ``SessionLifecycle`` failed.
@nonexhaustive
public enum SessionLifecycleError: Error, Sendable {
    /// Two hosts have the same ``SessionHost/id``.
    case hostExists(String)
    /// There is no such host, or it no longer exists.
    case noSuchHost(String)
    /// The host could not begin or end.
    case failed(SessionHostFailure)
    /// The server shuts down or has done so, but these hosts could not be saved and closed.
    case notEnded([SessionHostFailure])
    /// The lifecycle is ending or has ended. It does not accept or begin hosts, and runs once.
    case isOver
    /// The waiting task was canceled. The host continues.
    case cancelled
}

extension SessionLifecycleError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .hostExists(let id): "there is a host '\(id)' already; remove it first"
        case .noSuchHost(let id): "there is no host '\(id)'; add it first"
        case .failed(let failure): "\(failure)"
        case .notEnded(let failures):
            "not every host could be ended: "
                + failures.map(\.description).joined(separator: "; ")
        case .isOver:
            "the sessions are being ended or were, and the lifecycle runs once; make another"
        case .cancelled: "the task that waited was cancelled"
        }
    }
}
