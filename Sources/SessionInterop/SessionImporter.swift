public import BrowserSessions

/// Reads session files of other browsers.
///
/// ```swift
/// let result = try SessionImporter().read(path: "/backup/Default")
/// try await ImportMerge(result).plan(for: store).apply(to: store)
/// ```
///
/// Nothing is written, and no file is changed. Reading the same files again gives the same
/// identifiers. Of files that changed only the formats of iOS give them; see ``ImportMerge``.
public struct SessionImporter: Sendable {
    /// What a file may ask for.
    public var limits: ImportLimits

    /// An importer with the given limits.
    public init(limits: ImportLimits = ImportLimits()) { self.limits = limits }

    /// Reads a file, a session directory, a profile, or a folder of any of them.
    ///
    /// Damage does not stop the import: what can be read comes back, and the report says what could
    /// not. A folder gives the sessions of everything in it that is recognised. Of a profile that is
    /// what its browser would restore, and the report names the rest. What a file is, its content says;
    /// names only decide where that does not. A valid file without tabs gives a result without sessions
    /// or with empty ones.
    ///
    /// A profile that a browser has open is read as it is.
    ///
    /// - Parameters:
    ///   - path: The file or folder. Symbolic links inside a folder are not followed.
    ///   - format: What it is; found out if `nil`. In a folder, only this format is read.
    ///   - scope: Which files of a profile are taken.
    ///   - incognito: Whether all sessions are to be off the record.
    /// - Throws: `StorageError` with the code `notFound` if there is nothing at
    ///   the path; `permissionDenied` or `failed` if it cannot be read; `incompatibleFormat` for an
    ///   unknown format or version; `unsupported` for an encrypted session log; `tooLarge` if a limit
    ///   is exceeded; `corrupted` if nothing at all could be made of a file. In a folder, errors of
    ///   single files are in `ImportReport.untaken` instead, as long as something in it was taken;
    ///   else the first of them is thrown.
    public func read(
        path: String, as format: SessionFormat? = nil, scope: ImportScope = .restorable,
        incognito: Bool = false
    ) throws(StorageError) -> SessionImport {
        var finder = SourceFinder(
            detector: SourceDetector(limits: limits), format: format, scope: scope)
        try finder.find(path)
        var assembler = ImportAssembler(limits: limits)
        assembler.report = finder.report
        var taker = SourceTaker(
            importer: self, incognito: incognito, isFolder: finder.isFolder, assembler: assembler)
        for place in finder.places { try taker.take(place) }
        if finder.isFolder, taker.assembler.report.sources.isEmpty {
            throw taker.firstError ?? finder.nothing(at: path)
        }
        return taker.assembler.finish()
    }

    func read(_ source: SourcePlace.Source, incognito: Bool) throws(StorageError)
        -> SourceReading
    {
        switch source.format {
        case .chromeIOS:
            let offTheRecord = incognito || source.isOffTheRecord
            return try ChromeIOSReader(path: source.path, limits: limits, incognito: offTheRecord)
                .read()
        case .chromeIOSArchive:
            let offTheRecord = incognito || source.isOffTheRecord
            return try ChromeIOSArchiveReader(
                path: source.path, limits: limits, incognito: offTheRecord
            )
            .read()
        case .firefoxIOS:
            return try FirefoxIOSReader(path: source.path, limits: limits, incognito: incognito)
                .read()
        case .firefoxDesktop:
            return try FirefoxDesktopReader(path: source.path, limits: limits, incognito: incognito)
                .read()
        case .chromiumSNSS:
            return try SNSSReader(path: source.path, limits: limits, incognito: incognito).read()
        case .links:
            return try LinksReader(path: source.path, limits: limits, incognito: incognito).read()
        case .bookmarks, .page, .canonical:
            let file = try SourceFile.read(source.path, limit: limits.maximumFileBytes)
            return switch source.format {
            case .bookmarks: BookmarksReader.read(file, limits: limits, incognito: incognito)
            case .page: PageReader.read(file, limits: limits, incognito: incognito)
            default: try CanonicalReader.read(file, limits: limits, incognito: incognito)
            }
        }
    }
}

/// What came out of an import.
public struct SessionImport: Sendable {
    /// In the order of the files; no session twice, no tab twice on one side of a store.
    public var sessions: [SessionSnapshot]
    /// What was found, and what could not be read.
    public var report: ImportReport

    /// A result with the given parts.
    public init(sessions: [SessionSnapshot] = [], report: ImportReport = ImportReport()) {
        self.sessions = sessions
        self.report = report
    }
}
