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
        if try isFile(name) { return try await work(try RestoreSource(file: name)) }
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
        let sessions = ExportedSessions(result.sessions)
        store = sessions
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

/// The regular sessions of a file of `export`, as a store that is only read.
private struct ExportedSessions: SessionStorage {
    private var restored: [SessionID: RestoredSession] = [:]
    private var states: [TabStateKey: [UInt8]] = [:]

    init(_ sessions: [SessionSnapshot]) {
        for session in sessions
        where session.id.partition == .regular && restored[session.id] == nil {
            restored[session.id] = RestoredSession(
                id: session.id, attributes: session.attributes, tabs: session.tabs.map(\.metadata),
                nodes: session.nodes)
            for tab in session.tabs {
                for (name, bytes) in tab.states {
                    states[TabStateKey(tab: tab.metadata.id, name: name, in: session.id)] = bytes
                }
            }
        }
    }

    var hasStates: Bool { !states.isEmpty }

    var traits: StorageTraits {
        StorageTraits(
            backend: "file", durability: [.processCrash], defaultDurability: .processCrash,
            incognitoErasure: .removed, keepsRestorePoints: false)
    }

    func sessions(at version: SessionVersion) throws(StorageError) -> [SessionID] {
        try requireCurrent(version)
        return restored.keys.sorted()
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) throws(StorageError)
        -> [RestoredSession]
    {
        try requireCurrent(version)
        return ids.compactMap { restored[$0] }
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try requireCurrent(version)
        let wanted = Set(keys)
        return states.filter { wanted.contains($0.key) }
    }

    func stateKeys(in session: SessionID, at version: SessionVersion) throws(StorageError)
        -> [TabStateKey]
    {
        try requireCurrent(version)
        let tabs = Set((restored[session]?.tabs ?? []).map(\.id))
        return states.keys.filter { tabs.contains($0.tab) }
            .sorted { ($0.tab, $0.name.rawValue) < ($1.tab, $1.name.rawValue) }
    }

    private func requireCurrent(_ version: SessionVersion) throws(StorageError) {
        guard version == .current else {
            throw StorageError(.unsupported, "a file of 'export' has no restore points")
        }
    }

    func save(_ changes: SessionChanges, durability: Durability) throws(StorageError)
        -> SaveReceipt
    {
        throw Self.refusal
    }

    func deleteIncognito() throws(StorageError) { throw Self.refusal }
    func check(_ mode: CheckMode) throws(StorageError) -> RecoveryReport {
        guard mode == .reportOnly else { throw Self.refusal }
        return RecoveryReport()
    }
    func close() {}

    private static let refusal = StorageError(
        .permissionDenied, "a file of 'export' is only read", operation: "restore")
}
