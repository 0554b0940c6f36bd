public import Logging

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
/// let sessions = SessionLifecycle(hosts: users)
/// try await ServiceGroup(services: [sessions, server], gracefulShutdownSignals: [.sigterm],
///     logger: logger).run()
/// ```
///
/// A group shuts its services down in the reverse order: name this one before those that change
/// tabs, so that they have ended when the last save is made.
public struct SessionLifecycle: Sendable {
    private let hosts: [any SessionHost]
    private let concurrency: Int
    private let logger: Logger

    /// - Parameters:
    ///   - hosts: what is begun, and ended.
    ///   - concurrency: how many of them begin or end at the same time.
    public init(
        hosts: [any SessionHost], concurrency: Int = 16,
        logger: Logger = Logger(label: "browser-sessions")
    ) {
        self.hosts = hosts
        self.concurrency = max(1, concurrency)
        self.logger = logger
    }

    /// Begins all hosts, waits until `shutdown` returns or throws, and ends all hosts.
    ///
    /// What `shutdown` throws, as it does when the task is cancelled, means that it is time to end.
    /// When one cannot begin, those that have begun are ended, and the error is thrown. One that
    /// cannot end does not keep the others from it; the first such error is thrown. Ending is not
    /// cut short when the task is cancelled: what is not saved then would be lost.
    public func run(until shutdown: () async throws -> Void) async throws {
        let failure = await begin()
        if failure == nil { try? await shutdown() }
        let hosts = hosts
        let concurrency = concurrency
        let endings = await Task {
            await Self.each(hosts, concurrency) { try await $0.endSessions() }
        }
        .value
        if let error = endings { logger.error("ending failed", metadata: ["error": "\(error)"]) }
        if let error = failure ?? endings { throw error }
    }

    private func begin() async -> (any Error)? {
        let error = await Self.each(hosts, concurrency) { try await $0.beginSessions() }
        if let error { logger.error("beginning failed", metadata: ["error": "\(error)"]) }
        return error
    }

    /// Runs the work for each host, a few at a time; the first error, or `nil`.
    private static func each(
        _ hosts: [any SessionHost], _ concurrency: Int,
        _ work: @escaping @Sendable (any SessionHost) async throws -> Void
    ) async -> (any Error)? {
        await withTaskGroup(of: (any Error)?.self) { group in
            var first: (any Error)?
            for (index, host) in hosts.enumerated() {
                if index >= concurrency, let error = await group.next() { first = first ?? error }
                group.addTask {
                    do { try await work(host) } catch { return error }
                    return nil
                }
            }
            for await error in group { first = first ?? error }
            return first
        }
    }
}
