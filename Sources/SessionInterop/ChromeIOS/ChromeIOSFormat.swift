import BrowserSessions
import Foundation

extension SessionFormat {
    /// Chrome for iOS: one directory per session and one per tab (the "optimized" layout).
    ///
    /// Its files have no checksum, so a changed letter, time or color cannot be detected. A list
    /// that was truncated between two tabs is a valid shorter list. Tabs that are missing from such
    /// a list are found by their directories and set aside.
    public static let chromeIOS = SessionFormat(
        "chrome-ios", ChromeIOSFormat.self, writer: .chromeIOS, [.isFolder, .hasLastingIDs])

    /// Chrome for iOS before that layout: `session.plist`, a keyed archive for each session.
    ///
    /// The importer reads windows, tabs, their order, the selected tab, pins, openers, groups, times
    /// and histories. It keeps the engine's states next to the file (`Web_Sessions`) as they are. It
    /// does not read certificates that the user accepted, scroll positions and form data, and the
    /// report counts them. A session that the browser moved aside after a crash
    /// (`session.backup.plist`) is set aside. There is no checksum. A truncated file is unreadable.
    public static let chromeIOSArchive = SessionFormat(
        "chrome-ios-archive", ChromeIOSArchiveFormat.self)
}

extension ExportFormat {
    /// Chrome for iOS: a state folder with a directory per window and one per tab.
    public static let chromeIOS = ExportFormat(
        "chrome-ios", for: .mobileBrowser, ChromeIOSWriter.self,
        holds: [
            .activeTabs, .pins, .groups, .groupColors, .collapsedGroups, .histories,
            .displayAddresses, .referrers, .userAgents, .requestHeaders, .entryTimes,
            .creationTimes, .lastUseTimes, .openers, .inactiveTabs, .incognitoTabs,
        ])
}

/// The session directories of Chrome for iOS, in a state folder that may have others in `OTR`.
enum ChromeIOSFormat: FormatReader {
    static let sessions = "SessionStorage"
    private static let incognitoSessions = "OTR/SessionStorage"

    static let beginnings: [[UInt8]] = []

    static func mayRecognize(_ start: SourceHead) -> Bool { recognizes(start) }

    static func recognizes(_ head: SourceHead) -> Bool { head.name == ChromeIOSList.fileName }

    static func role(of folder: SourceFile.Folder) -> FolderRole? {
        if isSession(folder) { return .source }
        let isState =
            folder.has(sessions, .directory)
            || SourceFile.isDirectory(joined(folder.path, incognitoSessions))
        return isState || lastComponent(folder.path) == sessions ? .sources : nil
    }

    private static func isSession(_ folder: SourceFile.Folder) -> Bool {
        folder.has(ChromeIOSList.fileName)
            || folder.names(.directory).contains { name in
                ChromeIOSReader.tabID(ofDirectory: name) != nil
                    && SourceFile.isFile(joined(folder.path, name + "/data.pb"))
            }
    }

    /// Finds the sessions of a state folder before anything else in it: what is also in the older
    /// layout is taken once, and incognito tabs come last.
    static func places(
        in folder: SourceFile.Folder, isProfile: Bool, _ failures: inout ReadFailures
    ) -> [FoundSources] {
        [sessions, incognitoSessions].flatMap { name -> [FoundSources] in
            let path = joined(folder.path, name)
            guard SourceFile.isDirectory(path), let inner = failures.folder(path) else { return [] }
            return inner.names(.directory).map { joined(path, $0) }.compactMap { session in
                let isSession = (try? SourceFile.folder(session)).map(isSession)
                return isSession == true ? place(of: session, in: folder.path) : nil
            }
        }
    }

    static func place(of path: String, in root: String?) -> FoundSources? {
        let session = lastComponent(path) == ChromeIOSList.fileName ? parent(path) : path
        let isIncognito = isIncognito(session: session)
        func source(_ path: String, _ format: SessionFormat) -> FoundSources.Source {
            .init(path: path, format: format, isIncognito: isIncognito)
        }
        var place = FoundSources(candidates: [source(session, .chromeIOS)])
        if let root, let archive = ChromeIOSArchiveFormat.archive(ofSession: session),
            archive.hasPrefix(joined(root, ""))
        {
            place.candidates.append(source(archive, .chromeIOSArchive))
        }
        return place
    }

    static func isIncognito(session: String) -> Bool {
        lastComponent(parent(parent(session))) == "OTR"
    }

    static func read(_ path: String, limits: ImportLimits) throws(StorageError) -> SourceReading {
        try ChromeIOSReader(path: path, limits: limits).read()
    }
}

/// The archives of sessions of Chrome for iOS, each in a folder of its own.
enum ChromeIOSArchiveFormat: FormatReader {
    private static let fileName = "session.plist"
    /// The name of the sessions that the browser moved aside after a crash.
    static let backupName = "session.backup.plist"
    /// The folder of the engine's states. Their format is not known here.
    static let statesFolder = "Web_Sessions"

    static let beginnings = [BinaryPropertyList.magic]

    static func isArchive(named name: String) -> Bool { [fileName, backupName].contains(name) }

    /// Returns whether the file is a property list that names the class of a window. A file with
    /// the name of an archive does not need that class, because it may have lost everything.
    static func recognizes(_ head: SourceHead) throws(StorageError) -> Bool {
        guard head.begins(like: self) else { return false }
        if isArchive(named: head.name) { return true }
        guard head.bytes.starts(with: BinaryPropertyList.magic) else { return false }
        let bytes = try SourceFile.read(head.path, limit: head.limits.maximumFileBytes)
        return Data(bytes).range(of: Data(ChromeIOSArchive.windowClass.utf8)) != nil
    }

    /// The engine's states are read with their tabs.
    static func role(of folder: SourceFile.Folder) -> FolderRole? {
        lastComponent(folder.path) == statesFolder ? .profile : nil
    }

    static func place(of path: String, in root: String?) -> FoundSources? {
        FoundSources(candidates: [
            .init(
                path: path, format: .chromeIOSArchive,
                isIncognito: ChromeIOSFormat.isIncognito(session: parent(path)))
        ])
    }

    /// Returns the archive of a session that also exists in the later layout; `nil` if it exists
    /// only there.
    static func archive(ofSession directory: String) -> String? {
        let folder = parent(directory)
        guard lastComponent(folder) == ChromeIOSFormat.sessions else { return nil }
        let older = joined(joined(parent(folder), "Sessions"), lastComponent(directory))
        let path = joined(older, fileName)
        return SourceFile.isFile(path) ? path : nil
    }

    static func read(_ path: String, limits: ImportLimits) throws(StorageError) -> SourceReading {
        try ChromeIOSArchiveReader(path: path, limits: limits).read()
    }
}
