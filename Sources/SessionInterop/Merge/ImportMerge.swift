public import BrowserSessions

/// Brings what was read of other browsers into a store that may be in use.
///
/// ```swift
/// let result = try SessionImporter().read(path: "/backup/Default")
/// let plan = try await ImportMerge(result).plan(for: store)
/// print(plan.report.totals.tabsAdded)
/// try await plan.apply(to: store)
/// ```
///
/// The store notes each import: from which tab each of its tabs came, and digests of what they were. So a later
/// import of the same source, grown or changed meanwhile, adds only what is new and updates only what
/// was not changed here; see ``ImportMode/merge``. The notes are sessions of the kind `notes-import`, and
/// of private tabs `incognito-notes-import`, which go with them; they hold the path of the source, and
/// neither addresses nor titles.
public struct ImportMerge: Sendable {
    private let sessions: [SessionSnapshot]
    private let sources: [ImportedSource]
    private let mode: ImportMode

    /// A merge of what an import found.
    public init(_ result: SessionImport, mode: ImportMode = .merge) {
        sessions = result.sessions
        sources = result.report.sources
        self.mode = mode
    }

    /// What is to be done so that the store has what was imported. Nothing is changed.
    ///
    /// A session without tabs is planned, too. The plan holds for the store as it is: who changes
    /// the store makes a new one.
    ///
    /// - Parameter storage: `nil` for a place where no store is yet.
    /// - Throws: `corrupted` if a merge cannot tell what was closed here from what cannot be read: a
    ///   record of an earlier import is unreadable, or a tab that was imported is not there in a store
    ///   that has losses. `incompatibleFormat` for a record of a newer version. What the store throws.
    public func plan(for storage: (any SessionStorage)?) async throws(StorageError) -> ImportPlan {
        let partitions = Set(sessions.map(\.id.side))
        var contents = StoreContents()
        var records = ImportRecords()
        if let storage {
            records = try await .read(
                storage, partitions: partitions, givingUpUnreadable: mode != .merge)
            contents = try await StoreContents(of: storage, partitions: partitions)
        }
        var planner = MergePlanner(mode, contents, records)
        let origins = sources.map { $0.origin }
        var sourceOf: [SessionID: Int] = [:]
        for (index, source) in sources.enumerated() {
            for session in source.sessions { sourceOf[session] = index }
        }
        for partition in StorageSide.allCases where partitions.contains(partition) {
            let own = sessions.filter { $0.id.side == partition }.map { session in
                let source = sourceOf[session.id]
                let origin = source.map { origins[$0] } ?? ImportOrigin()
                return (source, SourceWindow(session, origin: origin))
            }
            try await planner.plan(own, storage)
        }
        return planner.finish(sourceCount: sources.count)
    }
}

extension ImportedSource {
    fileprivate var origin: ImportOrigin {
        ImportOrigin(format: format.rawValue, place: SourceFile.home(of: path))
    }
}
