public import BrowserSessions

/// An importer that reads session files of other browsers.
///
/// ```swift
/// let result = try SessionImporter().read(path: "/backup/Default")
/// try await ImportMerge(result).plan(for: store).apply(to: store)
/// ```
///
/// It writes nothing and changes no file. Reading the same files again gives the same identifiers.
/// Changed files keep their identifiers only in the formats of iOS; see ``ImportMerge``.
public struct SessionImporter: Sendable {
    /// The limits that a file must respect.
    public var limits: ImportLimits

    /// Creates an importer with the given limits.
    public init(limits: ImportLimits = ImportLimits()) { self.limits = limits }

    /// Reads a file, a session directory, a profile, or a folder of any of them.
    ///
    /// Damage does not stop the import. It returns what can be read, and the report lists the rest.
    /// For a folder, it returns the sessions of everything that is recognized. For a profile, it
    /// returns what the browser would restore, and the report lists the rest. The content of a file
    /// determines its format. The name does so only if the content is not enough. A valid file
    /// without tabs gives no sessions, or empty ones.
    ///
    /// A profile that a browser has open is read as it is.
    ///
    /// - Parameters:
    ///   - path: The file or folder. Symbolic links inside a folder are not followed.
    ///   - format: The format; detected if `nil`. In a folder, only this format is read.
    ///   - scope: The files of a profile to take.
    ///   - incognito: Whether to make all sessions incognito.
    /// - Throws: `StorageError` with the code `notFound` if there is nothing at the path;
    ///   `permissionDenied` or `failed` if it cannot be read; `incompatibleFormat` for an unknown
    ///   format or version; `unsupported` for an encrypted session log; `tooLarge` if a limit is
    ///   exceeded; `corrupted` if nothing in a file could be read. In a folder, errors of single files
    ///   are in `ImportReport.untaken` instead, if something in the folder was taken. Otherwise, the
    ///   first of them is thrown.
    public func read(
        path: String, as format: SessionFormat? = nil, scope: ImportScope = .restorable,
        incognito: Bool = false
    ) throws(StorageError) -> SessionImport {
        var finder = SourceFinder(limits, format: format, scope: scope)
        try finder.find(path)
        var assembler = ImportAssembler(limits: limits)
        assembler.report = finder.report
        var taker = SourceTaker(
            limits: limits, incognito: incognito, isFolder: finder.isFolder, assembler: assembler)
        for place in finder.places { try taker.take(place) }
        if finder.isFolder, taker.assembler.report.sources.isEmpty {
            throw taker.firstError ?? finder.nothing(at: path)
        }
        return taker.assembler.finish()
    }
}

/// The result of an import.
public struct SessionImport: Sendable {
    /// The sessions in file order. None occurs twice, and no tab occurs twice in one partition.
    public var sessions: [SessionSnapshot]
    /// The report of what was found, and of what could not be read.
    public var report: ImportReport

    /// Creates a result from its parts.
    public init(sessions: [SessionSnapshot] = [], report: ImportReport = ImportReport()) {
        self.sessions = sessions
        self.report = report
    }
}
