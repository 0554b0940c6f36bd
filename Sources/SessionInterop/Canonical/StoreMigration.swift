public import BrowserSessions

/// A migration of everything in one store to another, with another backend or at another location.
///
/// ```swift
/// let migration = StoreMigration(
///     from: .sqlite, at: StorageConfiguration(location: "/profiles/7.sqlite"),
///     to: .leveldb, at: StorageConfiguration(location: "/profiles/7.leveldb"))
/// let result = try await migration.run()
/// ```
/// The source is not changed. It is opened for reading only, if its backend can do that. The target
/// is created if it does not exist. It may hold only what an interrupted migration left, or the
/// notes of a launch. Neither store may be open elsewhere.
public struct StoreMigration: Sendable {
    private let source: Place
    private let target: Place
    /// Whether incognito sessions are also copied. If not, the result counts them.
    public var includesIncognito = false

    private struct Place {
        var backend: StorageBackend
        var configuration: StorageConfiguration

        /// Opens a store that must not change. If its backend cannot open it for reading only, opens
        /// it normally.
        func openForReading() async throws(StorageError) -> any SessionStorage {
            var configuration = configuration
            configuration.options["create"] = .bool(false)
            let owned = configuration
            configuration.options["access"] = .text(StorageAccess.readOnly.rawValue)
            do throws(StorageError) {
                return try await backend.open(configuration)
            } catch {
                guard error.code == .unsupported else { throw error }
                return try await backend.open(owned)
            }
        }
    }

    /// Creates a migration. Nothing is opened or checked before ``run(losses:progress:)`` or
    /// ``plan(losses:)``.
    public init(
        from sourceBackend: StorageBackend, at source: StorageConfiguration,
        to targetBackend: StorageBackend, at target: StorageConfiguration
    ) {
        self.source = Place(backend: sourceBackend, configuration: source)
        self.target = Place(backend: targetBackend, configuration: target)
    }

    /// Whether the source and the target are at the same location, even if written differently.
    public var isOntoItself: Bool {
        SourceFile.areSame(source.configuration.location, target.configuration.location)
    }

    /// Copies and compares. An interrupted run continues when it is run again.
    /// The copy survives what the target promises, at most a power cut.
    ///
    /// - Parameter losses: Receives the losses in the source. Everything else is then copied.
    ///   Without it, the first loss ends the migration.
    /// - Parameter progress: Receives the progress.
    /// - Throws: `invalidConfiguration` if both are at the same location, `notFound` if there is no
    ///   source, what opening throws, and what ``SessionCopy/run(losses:progress:)`` throws.
    public func run(
        losses: LossHandler? = nil, progress: SessionCopy.ProgressHandler? = nil
    ) async throws -> SessionCopy.Result {
        try await withSource { try await copy(from: $0, losses: losses, progress: progress) }
    }

    /// Returns what ``run(losses:progress:)`` would copy. Changes nothing and creates no store.
    ///
    /// - Parameter losses: As in ``run(losses:progress:)``; the states of tabs are not read.
    /// - Throws: `invalidConfiguration` if both are at the same location, `notFound` if there is no
    ///   source, what opening throws, and what ``SessionCopy/plan(losses:)`` throws. A target that
    ///   does not exist yet is not an error.
    public func plan(losses: LossHandler? = nil) async throws -> SessionCopy.Result {
        try await withSource { try await plan(from: $0, losses: losses) }
    }

    /// Opens the source, runs the work, and closes the source.
    package func withSource<Success>(
        _ work: (any SessionStorage) async throws -> Success
    ) async throws -> Success {
        guard !isOntoItself else {
            throw StorageError(
                .invalidConfiguration,
                "the source and the target are the same store; a copy needs a place of its own",
                operation: "migrate")
        }
        return try await source.openForReading().whileOpen(work)
    }

    package func copy(
        from source: any SessionStorage, losses: LossHandler?,
        progress: SessionCopy.ProgressHandler?
    ) async throws -> SessionCopy.Result {
        let opened: any SessionStorage
        do throws(StorageError) {
            opened = try await target.backend.open(target.configuration)
        } catch {
            throw error.ofTarget
        }
        return try await opened.whileOpen { target in
            try await SessionCopy(
                from: source, to: target, includingIncognito: includesIncognito
            ).run(losses: losses, progress: progress)
        }
    }

    package func plan(from source: any SessionStorage, losses: LossHandler?) async throws
        -> SessionCopy.Result
    {
        var opened: (any SessionStorage)?
        do throws(StorageError) {
            opened = try await target.openForReading()
        } catch {
            if error.code != .notFound { throw error.ofTarget }
        }
        func plan(_ target: (any SessionStorage)?) async throws -> SessionCopy.Result {
            try await SessionCopy(
                from: source, to: target, includingIncognito: includesIncognito
            ).plan(losses: losses)
        }
        guard let opened else { return try await plan(nil) }
        return try await opened.whileOpen { try await plan($0) }
    }
}
