public import Logging
import Synchronization

/// Restores the sessions of a server's users when it starts, and saves them before it ends.
///
/// It depends on no framework for services. It becomes a service of swift-service-lifecycle with
///
/// ```swift
/// extension SessionLifecycle: @retroactive Service {
///     public func run() async throws { try await run(until: gracefulShutdown) }
/// }
/// ```
///
/// and is then one of a group:
///
/// ```swift
/// let sessions = try SessionLifecycle(hosts: users)
/// try await ServiceGroup(services: [sessions, server], gracefulShutdownSignals: [.sigterm],
///     logger: logger).run()
/// ```
///
/// A group starts its services at once: the server awaits ``ready()-async`` before it listens, or
/// ``ready(_:)`` before it serves one user, within `cancelWhenGracefulShutdown`, so that a host that takes long
/// holds up no shutdown. The group shuts services down in the reverse order: name this one before those that
/// change tabs, so that they have ended when the last save is made.
///
/// A host that cannot begin, say because another process still has its store, keeps no other from it: it is
/// ``SessionHostState/failed(_:)``, logged, in ``changes()`` and in what ``ready()-async`` returns, and
/// ``retry(_:)`` tries it again. Users come and go with ``add(_:)`` and ``remove(_:)`` while the server runs.
public final class SessionLifecycle: Sendable {
    let table = Mutex(HostTable())
    let turns: Turns
    let logger: Logger

    /// - Parameters:
    ///   - hosts: what is begun by ``run(until:)``; ``SessionLifecycleError/hostExists(_:)`` if two have one id.
    ///   - concurrency: how many of them begin or end at the same time, at least 1.
    public init(
        hosts: [any SessionHost] = [], concurrency: Int = 16,
        logger: Logger = Logger(label: "browser-sessions")
    ) throws(SessionLifecycleError) {
        turns = Turns(max(1, concurrency))
        self.logger = logger
        for host in hosts { try add(host) }
    }

    /// Begins all hosts, waits until `shutdown` returns or throws, and ends all hosts. It runs once.
    ///
    /// What `shutdown` throws, as it does when the task is cancelled, means that it is time to end. Hosts
    /// that are still beginning are cancelled; ending is not cut short when the task is cancelled: what is not
    /// saved then would be lost. Throws ``SessionLifecycleError/notEnded(_:)`` with every host that could
    /// not end; those that could not begin are no reason to throw.
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

    /// Adds a host. A lifecycle that runs begins it at once; await ``ready(_:)`` before it gets traffic.
    ///
    /// Throws ``SessionLifecycleError/hostExists(_:)`` if there is one with its id, and
    /// ``SessionLifecycleError/isOver`` once the server shuts down.
    public func add(_ host: any SessionHost) throws(SessionLifecycleError) {
        try table.withLock { table throws(SessionLifecycleError) in
            try table.add(host)
            if table.phase == .running { begin(host.id, in: &table) }
        }
    }

    /// Ends a host and forgets it; returns when it is closed. One that is still beginning is cancelled, one that
    /// has not begun is only forgotten.
    ///
    /// Throws ``SessionLifecycleError/failed(_:)`` if it could not end. It then stays, and may be removed
    /// again; the shutdown tries it once more, too.
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

    /// Begins a host again that could not begin; returns when it is ready. One that did not fail to begin
    /// is awaited as by ``ready(_:)``.
    public func retry(_ id: String) async throws(SessionLifecycleError) {
        try table.withLock { table throws(SessionLifecycleError) in
            guard table.isOpen else { throw .isOver }
            guard try table.entry(id).state.beginFailure != nil else { return }
            begin(id, in: &table)
        }
        try await ready(id)
    }

    // MARK: - Waiting and looking

    /// Returns when the sessions of a host are restored; waits for ``run(until:)`` if that was not called.
    ///
    /// Throws ``SessionLifecycleError/failed(_:)`` if it could not begin, ``SessionLifecycleError/noSuchHost(_:)``
    /// if there is none or it ended meanwhile, ``SessionLifecycleError/isOver`` after the shutdown began, and
    /// ``SessionLifecycleError/cancelled`` if this task was cancelled.
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

    /// Returns when each of the hosts that are there now is ready or could not begin, and says which.
    ///
    /// Hosts that are removed meanwhile are in neither list. Throws ``SessionLifecycleError/isOver`` after the
    /// shutdown began, and ``SessionLifecycleError/cancelled`` if this task was cancelled.
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

    /// How far each host is, by its id.
    public var states: [String: SessionHostState] {
        table.withLock { $0.entries.mapValues(\.state) }
    }

    /// What becomes of hosts from now on, in order; it ends when ``run(until:)`` returns. Every call gives
    /// a sequence of its own, which keeps what was not read yet.
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
