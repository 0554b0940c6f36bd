import BackendSelection
import BrowserSessions
import CommandLineSupport
import RestorePlans
import SessionInterop
import StorageEngines
import ToolSupport

/// Where `restore` gets an earlier state from, open for reading.
struct RestoreSource {
    /// Another store that has it.
    private var other: (any SessionStorage)?
    /// The sessions of a file of `export` that has it.
    private var sessions: [SessionSnapshot]?
    /// Whether it says which states tabs had. If not, tabs that are there keep what they have.
    var hasStates = true
    /// What cannot be read of a file.
    var problems: [String] = []

    /// Opens a source, does the work, and closes the source.
    ///
    /// - Parameter name: a backup or another store by its path or URL, or a file of `export`; `nil` for the
    ///   store itself.
    static func open<Result>(
        _ name: String?, _ work: (RestoreSource) async throws -> Result
    ) async throws -> Result {
        guard let name else { return try await work(RestoreSource()) }
        if name.hasSuffix(".tar") {
            throw StorageError(
                .unsupported,
                """
                '\(name)' is a packed backup; unpack it, and restore from the folder that it holds: \
                tar -xf '\(name)'
                """, operation: "restore")
        }
        if try isFile(name) { return try await work(try RestoreSource(file: name)) }
        return try await withOpen(ResolvedSelection.named(name)) { other in
            try await work(RestoreSource(other))
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

    private init(_ other: (any SessionStorage)? = nil) { self.other = other }

    /// Reads a file of `export`. Throws `incompatibleFormat` if it is none.
    private init(file: String) throws(StorageError) {
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
        let sessions = result.sessions.filter { $0.id.partition == .regular }
        self.sessions = sessions
        hasStates = sessions.contains { $0.tabs.contains { !$0.states.isEmpty } }
        problems = result.report.sources.flatMap(\.problems)
            .filter { $0.severity == .loss }.map(\.description)
    }

    var isFile: Bool { sessions != nil }

    /// Returns the store that has it, given the one that the command is about.
    func store(_ own: any SessionStorage) -> any SessionStorage {
        if let sessions { ExportedSessions(sessions, inPlaceOf: own) } else { other ?? own }
    }

    /// Returns the store from which a plan has its states, and why tabs may come back without.
    func states(for plan: RestorePlan, in store: any SessionStorage) -> (
        store: (any SessionStorage)?, problem: String
    ) {
        if !hasStates { return (nil, "the file has none") }
        // A plan without a point was made from another store.
        if other == nil, sessions == nil, plan.point == nil {
            return (nil, "name the source of the plan with --from")
        }
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
        for session in sessions where restored[session.id] == nil {
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
