import BackendSelection
import BrowserSessions
import CommandLineSupport
import RestorePlans
import SessionInterop
import StorageEngines
import ToolSupport

/// Where `restore` gets an earlier state from, open for reading.
struct RestoreSource {
    /// The store that has it.
    let store: any SessionStorage
    /// Whether that is the store itself, at a restore point.
    var isOwn = false
    /// Whether it says which states tabs had. If not, tabs that are there keep what they have.
    var hasStates = true
    /// What cannot be read of a file.
    var problems: [String] = []

    /// Opens a source, does the work, and closes the source.
    ///
    /// - Parameters:
    ///   - name: a backup or another store by its path or URL, or a file of `export`; `nil` for the store
    ///     itself.
    ///   - store: the store that the command is about.
    static func open<Result>(
        _ name: String?, beside store: any SessionStorage,
        _ work: (RestoreSource) async throws -> Result
    ) async throws -> Result {
        guard let name else { return try await work(RestoreSource(store: store, isOwn: true)) }
        if name.hasSuffix(".tar") {
            throw StorageError(
                .unsupported,
                """
                '\(name)' is a packed backup; unpack it, and restore from the folder that it holds: \
                tar -xf '\(name)'
                """, operation: "restore")
        }
        if try isFile(name) { return try await work(try RestoreSource(file: name, beside: store)) }
        return try await withOpen(ResolvedSelection.named(name)) { other in
            try await work(RestoreSource(store: other))
        }
    }

    private static func isFile(_ path: String) throws(StorageError) -> Bool {
        switch try FileSystem.status(path)?.kind {
        case .file: true
        case .link:
            try PosixFileSystem().realPath(of: path).map(FileSystem.status)??.kind == .file
        case .directory, .other, nil: false
        }
    }

    private init(store: any SessionStorage, isOwn: Bool = false) {
        (self.store, self.isOwn) = (store, isOwn)
    }

    /// Reads a file of `export`. Throws `incompatibleFormat` if it is none.
    private init(file: String, beside store: any SessionStorage) throws(StorageError) {
        let result: SessionImport
        do throws(StorageError) {
            result = try SessionImporter().read(path: file, as: .canonical)
        } catch {
            guard error.code == .incompatibleFormat else { throw error }
            throw StorageError(
                .incompatibleFormat,
                """
                '\(file)' is no JSON that 'export' wrote: \(error.message); other session files are for \
                'import'
                """, operation: "restore")
        }
        let hidden = result.sessions.count { $0.id.partition == .incognito }
        if hidden > 0 {
            Console.remark(
                "\(counted(hidden, "session")) in incognito in '\(file)' cannot be restored; 'import' takes it"
            )
        }
        let sessions = ExportedSessions(result.sessions, inPlaceOf: store)
        self.store = sessions
        hasStates = sessions.hasStates
        problems = result.report.sources.flatMap(\.problems)
            .filter { $0.severity == .loss }.map(\.description)
    }

    /// Whether it is a file of `export`.
    var isFile: Bool { store is ExportedSessions }

    /// Returns the store from which a plan has its states, and why tabs may come back without.
    func states(for plan: RestorePlan) -> (store: (any SessionStorage)?, problem: String) {
        if !hasStates { return (nil, "the file has none") }
        // A plan without a point was made from another store.
        if isOwn, plan.point == nil { return (nil, "name the source of the plan with --from") }
        return (store, "it cannot be read")
    }

    /// Throws if the present is to be replaced by something that cannot all be read.
    func requireWhole(for mode: RestorePlan.Mode) throws(StorageError) {
        guard mode == .replace, let problem = problems.first else { return }
        throw StorageError(
            .corrupted,
            """
            part of the file cannot be read (\(problem)), so the present is not replaced by it; merge instead
            """, operation: "restore")
    }
}

/// The regular sessions of a file of `export`, which are only read, in place of those of a store.
private struct ExportedSessions: StorageDecorator {
    let base: any SessionStorage
    private var restored: [SessionID: RestoredSession] = [:]
    private var states: [TabStateKey: [UInt8]] = [:]
    private var keys: [SessionID: [TabStateKey]] = [:]

    init(_ sessions: [SessionSnapshot], inPlaceOf base: any SessionStorage) {
        self.base = base
        for session in sessions
        where session.id.partition == .regular && restored[session.id] == nil {
            restored[session.id] = RestoredSession(
                id: session.id, attributes: session.attributes, tabs: session.tabs.map(\.metadata),
                nodes: session.nodes)
            for tab in session.tabs {
                for (name, bytes) in tab.states {
                    let key = TabStateKey(tab: tab.metadata.id, name: name, in: session.id)
                    states[key] = bytes
                    keys[session.id, default: []].append(key)
                }
            }
        }
    }

    var hasStates: Bool { !states.isEmpty }

    func perform<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
    {
        let answer: (any Sendable)? =
            switch request {
            case let request as SessionsRequest where request.version == .current:
                restored.keys.sorted()
            case let request as RestoreRequest where request.version == .current:
                request.ids.compactMap { restored[$0] }
            case let request as StateKeysRequest where request.version == .current:
                keys[request.session] ?? []
            case let request as StatesRequest where request.version == .current:
                Dictionary(
                    uniqueKeysWithValues: Set(request.keys).compactMap { key in
                        states[key].map { (key, $0) }
                    })
            case is RestorePointsRequest: [RestorePoint]()
            default: nil
            }
        guard let answer = answer as? Request.Answer else {
            throw StorageError(
                .unsupported, "a file of 'export' is only read, and has no restore points",
                operation: "restore")
        }
        return answer
    }
}
