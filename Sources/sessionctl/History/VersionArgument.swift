import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import SessionInterop
import StorageEngines
import ToolSupport

/// A restore point as a user names it: the number or the name that `points` prints, or `latest`.
enum PointArgument: ExpressibleByArgument, Equatable, Sendable {
    case latest
    case named(String)

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self = argument == "latest" ? .latest : .named(argument)
    }

    /// Returns the point of a store. Throws `notFound` if the store does not keep it.
    func point(of store: any SessionStorage) async throws(StorageError) -> RestorePoint {
        let points = try await store.restorePoints()
        switch self {
        case .latest:
            if let newest = points.first { return newest }
            throw StorageError(.notFound, "the store keeps no restore point")
        case .named(let name):
            if let point = points.named(name) { return point }
            let word = UInt64(name) == nil ? "'\(name)'" : name
            throw StorageError(
                .notFound, "the store does not keep restore point \(word); see 'points'")
        }
    }
}

/// A state as a user names it: `current`, a restore point, or another store by its path or URL. A name that is
/// also a path is that path.
enum VersionArgument: ExpressibleByArgument, Equatable, Sendable {
    case current
    case point(PointArgument)
    case store(String)

    init?(argument: String) {
        guard let point = PointArgument(argument: argument) else { return nil }
        if argument == "current" {
            self = .current
        } else if point != .latest, UInt64(argument) == nil, Self.isStore(argument) {
            self = .store(argument)
        } else {
            self = .point(point)
        }
    }

    private static func isStore(_ argument: String) -> Bool {
        let path = "\(OwnProgram.workingDirectory)/\(argument)"
        return argument.contains { "/:".contains($0) } || (try? FileSystem.exists(path)) != false
    }

    /// Whether it is a state of the store that the command is about.
    var isOfOwnStore: Bool { if case .store = self { false } else { true } }

    /// Returns the regular sessions of the state.
    ///
    /// - Parameter store: the store that the command is about; `nil` if no state is of that.
    func sessions(of store: (any SessionStorage)?, _ tell: LossHandler?) async throws
        -> [RestoredSession]
    {
        switch self {
        case .current: try await Self.sessions(of: store, at: .current, tell)
        case .point(let point):
            if let store {
                try await Self.sessions(of: store, at: .point(point.point(of: store).id), tell)
            } else {
                []
            }
        case .store(let other):
            try await withOpen(.named(other)) { store in
                try await Self.sessions(of: store, at: .current) { loss in
                    Console.message("'\(other)' has lost something: \(loss.detail)")
                }
            }
        }
    }

    private static func sessions(
        of store: (any SessionStorage)?, at version: SessionVersion, _ tell: LossHandler?
    ) async throws -> [RestoredSession] {
        guard let store else { return [] }
        let ids = try await store.sessions(at: version).filter { $0.partition == .regular }
        let sessions = try await store.restore(ids, at: version)
        for loss in sessions.flatMap(\.losses) { tell?(loss) }
        return sessions
    }
}
