public import Logging
import Synchronization

/// The lifecycle of a server's sessions: restored when it starts, and saved before it ends.
///
/// It does not depend on a service framework. This makes it a service of swift-service-lifecycle:
///
/// ```swift
/// extension SessionLifecycle: @retroactive Service {
///     public func run() async throws { try await run(until: gracefulShutdown) }
/// }
/// ```
///
/// It can then be part of a group:
///
/// ```swift
/// let sessions = try SessionLifecycle(hosts: users)
/// try await ServiceGroup(services: [sessions, server], gracefulShutdownSignals: [.sigterm],
///     logger: logger).run()
/// ```
///
/// A group starts all services at once. The server awaits `ready()` before it listens, or
/// ``ready(_:)`` before it serves a user, within `cancelWhenGracefulShutdown`, so that a slow host
/// does not delay a shutdown. The group shuts down services in reverse order: list this one before
/// those that change tabs, so that they have ended at the last save.
///
/// A host that cannot begin, for example because another process has its store, does not affect the
/// others. It is ``SessionHostState/failed(_:)``, logged, and reported by ``changes()`` and
/// `ready()`. ``retry(_:)`` tries again. Use ``add(_:)`` and ``remove(_:)`` while the
/// server runs.
public final class SessionLifecycle: Sendable {
    let table = Mutex(HostTable())
    let turns: Turns
    let logger: Logger

    /// Creates a lifecycle that is not running. ``run(until:)`` begins the hosts.
    ///
    /// - Parameters:
    ///   - hosts: the hosts to begin; none by default.
    ///   - concurrency: the number of hosts that begin or end at the same time. A number below 1
    ///     counts as 1.
    ///   - logger: the log for failures of hosts.
    /// - Throws: ``SessionLifecycleError/hostExists(_:)`` if two hosts have the same
    ///   ``SessionHost/id``.
    public init(
        hosts: [any SessionHost] = [], concurrency: Int = 16,
        logger: Logger = Logger(label: "browser-sessions")
    ) throws(SessionLifecycleError) {
        turns = Turns(max(1, concurrency))
        self.logger = logger
        for host in hosts { try add(host) }
    }

    /// Begins all hosts, waits until `shutdown` returns or throws, and ends all hosts. It runs
    /// once.
    ///
    /// An error of `shutdown`, such as cancellation, means that it is time to end. Hosts that are
    /// still beginning are canceled. Cancellation does not cut ending short: unsaved changes would
    /// be lost.
    ///
    /// - Throws: ``SessionLifecycleError/isOver`` if it was called before.
    ///   ``SessionLifecycleError/notEnded(_:)`` with every host that could not end, but not for
    ///   hosts that could not begin.
    public func run(until shutdown: () async throws -> Void) async throws(SessionLifecycleError) {
        try table.withLock { table throws(SessionLifecycleError) in
            guard table.phase == .idle else { throw .isOver }
            table.phase = .running
            for id in table.ids { begin(id, in: &table) }
        }
        try? await shutdown()
        let failures = await endAll()
        guard failures.isEmpty else { throw .notEnded(failures) }
    }

    // MARK: - Hosts

    /// Adds a host. A running lifecycle begins it immediately; await ``ready(_:)`` before using it.
    ///
    /// - Throws: ``SessionLifecycleError/hostExists(_:)`` if there is a host with its id, and
    ///   ``SessionLifecycleError/isOver`` once the server shuts down.
    public func add(_ host: any SessionHost) throws(SessionLifecycleError) {
        try table.withLock { table throws(SessionLifecycleError) in
            try table.add(host)
            if table.phase == .running { begin(host.id, in: &table) }
        }
    }

    /// Ends and forgets a host, and returns when it is closed. A host that is still beginning is
    /// canceled. One that has not begun is only forgotten.
    ///
    /// - Throws: ``SessionLifecycleError/noSuchHost(_:)`` if there is no host with this id.
    ///   ``SessionLifecycleError/failed(_:)`` if the host could not end: it then remains and can be
    ///   removed again, and the shutdown tries again too.
    public func remove(_ id: String) async throws(SessionLifecycleError) {
        let work = try table.withLock { table throws(SessionLifecycleError) in
            _ = try table.entry(id)
            return end(id, in: &table)
        }
        await work?.value
        if case .failed(let failure) = table.withLock({ $0.entries[id]?.state }) {
            throw .failed(failure)
        }
    }

    /// Begins a host that could not begin before, and returns when it is ready. For any other host,
    /// this waits like ``ready(_:)``.
    ///
    /// - Throws: ``SessionLifecycleError/noSuchHost(_:)`` if there is no host with this id, or it
    ///   ended meanwhile. ``SessionLifecycleError/failed(_:)`` if it could not begin or could not end.
    ///   ``SessionLifecycleError/isOver`` after the shutdown began.
    ///   ``SessionLifecycleError/cancelled`` if this task was canceled.
    public func retry(_ id: String) async throws(SessionLifecycleError) {
        try table.withLock { table throws(SessionLifecycleError) in
            guard table.isOpen else { throw .isOver }
            guard try table.entry(id).state.beginFailure != nil else { return }
            begin(id, in: &table)
        }
        try await ready(id)
    }

    // MARK: - Waiting and reporting

    /// Returns when the sessions of a host are restored; waits for ``run(until:)`` if necessary.
    ///
    /// - Throws: ``SessionLifecycleError/failed(_:)`` if the host could not begin or could not end.
    ///   ``SessionLifecycleError/noSuchHost(_:)`` if there is none or it ended meanwhile.
    ///   ``SessionLifecycleError/isOver`` after the shutdown began.
    ///   ``SessionLifecycleError/cancelled`` if this task was canceled while it waited.
    public func ready(_ id: String) async throws(SessionLifecycleError) {
        while true {
            let (waiting, continuation) = AsyncStream<Void>.makeStream()
            let isReady = try table.withLock { table throws(SessionLifecycleError) in
                guard table.isOpen else { throw .isOver }
                switch try table.entry(id).state {
                case .ready: return true
                case .failed(let failure): throw .failed(failure)
                case .ended, .ending: throw .noSuchHost(id)
                case .waiting, .beginning: table.entries[id]?.waiting.append(continuation)
                }
                return false
            }
            if isReady { return }
            for await _ in waiting {}
            guard !Task.isCancelled else { throw .cancelled }
        }
    }

    /// Returns when each of the present hosts is ready or could not begin.
    ///
    /// Omits hosts that are removed meanwhile.
    ///
    /// - Throws: ``SessionLifecycleError/isOver`` after the shutdown began.
    ///   ``SessionLifecycleError/cancelled`` if this task was canceled while it waited.
    public func ready() async throws(SessionLifecycleError) -> SessionReadiness {
        var ready: [String] = []
        var failures: [SessionHostFailure] = []
        let ids = try table.withLock { table throws(SessionLifecycleError) in
            guard table.isOpen else { throw .isOver }
            return table.ids
        }
        for id in ids {
            do throws(SessionLifecycleError) {
                try await self.ready(id)
                ready.append(id)
            } catch .failed(let failure) {
                failures.append(failure)
            } catch .noSuchHost {
                continue
            }
        }
        return SessionReadiness(ready: ready, failures: failures)
    }

    /// The state of each host, by id.
    public var states: [String: SessionHostState] {
        table.withLock { $0.entries.mapValues(\.state) }
    }

    /// Returns the state changes of hosts from now on, in order, until ``run(until:)`` returns.
    /// Each call returns a separate sequence, which buffers unread changes.
    public func changes() -> AsyncStream<SessionHostChange> {
        let (changes, continuation) = AsyncStream<SessionHostChange>.makeStream()
        let number: Int? = table.withLock { table in
            let number = table.nextNumber()
            table.listeners[number] = continuation
            return table.phase == .over ? nil : number
        }
        guard let number else {
            continuation.finish()
            return changes
        }
        continuation.onTermination = { [weak self] _ in
            self?.table.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return changes
    }
}
