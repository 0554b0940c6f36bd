/// How far a host of a ``SessionLifecycle`` is.
@nonexhaustive
public enum SessionHostState: Sendable {
    /// It was added and is not being begun yet: the lifecycle does not run, or as many others are being begun
    /// as may be at a time.
    case waiting
    case beginning
    /// Its sessions are restored: traffic may come.
    case ready
    /// It could not begin, and what it had opened was released: it can be tried again; or it could not
    /// end: it can be removed again. See ``SessionHostFailure/phase``.
    case failed(SessionHostFailure)
    case ending
    /// It is saved and closed, or never began. A lifecycle that still runs does not know it any more.
    case ended
}

/// What became of one host of a ``SessionLifecycle``.
public struct SessionHostChange: Sendable {
    /// The host's ``SessionHost/id``.
    public let host: String
    public let state: SessionHostState
}

/// Why one host could not begin or end. The others go on.
public struct SessionHostFailure: Error, Sendable {
    public enum Phase: String, Hashable, Sendable { case begin, end }

    /// The host's ``SessionHost/id``.
    public let host: String
    public let phase: Phase
    /// What the host threw: a `StorageError` of opening names the store's location.
    public let error: any Error
}

extension SessionHostFailure: CustomStringConvertible {
    public var description: String { "host '\(host)' could not \(phase.rawValue): \(error)" }
}

/// Which hosts are ready, and which could not begin.
public struct SessionReadiness: Sendable {
    /// The hosts that are ready, by ``SessionHost/id``, in the order in which they were added.
    public let ready: [String]
    /// What kept the others from it, in the order in which they were added.
    public let failures: [SessionHostFailure]
}

/// Why a ``SessionLifecycle`` could not do what it was asked.
@nonexhaustive
public enum SessionLifecycleError: Error, Sendable {
    /// Two hosts with one ``SessionHost/id``.
    case hostExists(String)
    /// There is no such host, or no longer.
    case noSuchHost(String)
    /// The host could not begin, or not end.
    case failed(SessionHostFailure)
    /// The server has shut down, or does; its failures are those of hosts that could not be saved and closed.
    case notEnded([SessionHostFailure])
    /// The lifecycle is being ended, or was: it takes no hosts and begins none. It runs once.
    case isOver
    /// The task that waited was cancelled. The host goes on.
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
