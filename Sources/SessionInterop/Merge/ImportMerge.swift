public import BrowserSessions

/// A merge of sessions from other browsers into a store that may be in use.
///
/// ```swift
/// let result = try SessionImporter().read(path: "/backup/Default")
/// let plan = try await ImportMerge(result).plan(for: store)
/// print(plan.report.totals.tabsAdded)
/// try await plan.apply(to: store)
/// ```
///
/// The store notes each import: the source of each imported tab, and digests of its content. A later
/// import of the same source adds only new content, and updates only what was not changed here; see
/// ``ImportMode/merge``. The notes are sessions of the kind `notes-import`, or
/// `incognito-notes-import` for private tabs, which are deleted with them. They hold the path of
/// the source and the time at which its profile was made, and neither addresses nor titles.
public struct ImportMerge: Sendable {
    private let sessions: [SessionSnapshot]
    private let sources: [ImportedSource]
    private let mode: ImportMode

    /// Creates a merge of the result of an import.
    public init(_ result: SessionImport, mode: ImportMode = .merge) {
        sessions = result.sessions
        sources = result.report.sources
        self.mode = mode
    }

    /// Returns a plan for adding the imported sessions to the store. Changes nothing.
    ///
    /// Sessions without tabs are also planned. The plan holds for the current content of the store.
    /// If the store changes, make a new plan.
    ///
    /// - Parameter storage: The store; `nil` if no store exists yet.
    /// - Throws: `corrupted` if a replacement would take what a source with losses lacks for removed
    ///   (`ImportedSource.isIncomplete`), or if a merge cannot distinguish tabs that were closed here from unreadable
    ///   ones: a record of an earlier import is unreadable, or an imported tab is missing in a store
    ///   with losses. `incompatibleFormat` for a record of a newer version. What the store throws.
    public func plan(for storage: (any SessionStorage)?) async throws(StorageError) -> ImportPlan {
        if mode == .replacement, let source = sources.first(where: \.isIncomplete) {
            throw StorageError(
                .corrupted,
                """
                \(shown(source.path)) lacks something that could not be read or is not in it, and \
                a replacement would remove that from the store; nothing was imported. Import it \
                without replacing (--replace), which only adds, or replace with a file that is whole
                """, operation: "import")
        }
        let partitions = Set(sessions.map(\.id.partition))
        var contents = StoreContents()
        var records = ImportRecords()
        if let storage {
            records = try await .read(
                storage, partitions: partitions, givingUpUnreadable: mode != .merge)
            contents = try await StoreContents(of: storage, partitions: partitions)
        }
        var planner = MergePlanner(
            mode, contents, ImportPlan(records: records, sourceCount: sources.count))
        let origins = sources.map { $0.origin }
        var sourceOf: [SessionID: Int] = [:]
        for (index, source) in sources.enumerated() {
            for session in source.sessions { sourceOf[session] = index }
        }
        for partition in StoragePartition.allCases where partitions.contains(partition) {
            let own = sessions.filter { $0.id.partition == partition }.map { session in
                let index = sourceOf[session.id]
                return SourceWindow(
                    session, index: index, origin: index.map { origins[$0] } ?? ImportOrigin(),
                    isIncomplete: index.map { sources[$0].isIncomplete } ?? false)
            }
            try await planner.plan(own, partition)
        }
        return planner.planned
    }
}

extension ImportedSource {
    fileprivate var origin: ImportOrigin {
        let home = SourceFile.home(of: path, format)
        return ImportOrigin(
            format: format.rawValue, place: home,
            profile: format.reader.creation(ofProfile: home))
    }
}
