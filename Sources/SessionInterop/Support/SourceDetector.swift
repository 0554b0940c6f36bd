import BrowserSessions
import Foundation

/// A detector of the format of a file or folder. It checks the content of a file and, if that leaves
/// a choice, its name. It checks what is in a folder.
struct SourceDetector {
    let limits: ImportLimits

    /// The meaning of a path to an importer.
    enum Role: Hashable {
        /// One file with sessions.
        case file(SessionFormat)
        /// An export of another program, which is not supported.
        case foreign(program: String)
        /// One session directory of Chrome for iOS.
        case chromeSession
        /// A directory of session directories.
        case chromeSessions
        /// A state directory, with or without an incognito one inside.
        case chromeState
        /// A profile of Firefox for iOS.
        case firefoxIOSProfile
        /// A profile of Firefox for desktop.
        case firefoxProfile
        /// A profile of Chromium.
        case chromiumProfile
        /// A folder of profiles of Chromium.
        case chromiumUserData

        /// The format; `nil` for an export that is not read.
        var format: SessionFormat? {
            switch self {
            case .file(let format): format
            case .foreign: nil
            case .chromeSession, .chromeSessions, .chromeState: .chromeIOS
            case .firefoxIOSProfile: .firefoxIOS
            case .firefoxProfile: .firefoxDesktop
            case .chromiumProfile, .chromiumUserData: .chromiumSNSS
            }
        }
    }

    /// The number of bytes that are examined to detect the format of a file.
    private static let headBytes = 64 * 1024

    /// Returns the role of a path; `nil` if it is unknown or an ordinary folder.
    func detect(_ path: String) throws(StorageError) -> Role? {
        switch try SourceFile.kind(of: path) {
        case nil: throw SourceFile.failure(.notFound, "there is nothing at \(shown(path))")
        case .file: return try file(path)
        case .directory: return role(of: try SourceFile.folder(path))
        case .link, .other: return nil
        }
    }

    // MARK: - Folders

    func role(of folder: SourceFile.Folder) -> Role? {
        if isChromeSession(folder) { return .chromeSession }
        if folder.has("SessionStorage", .directory)
            || SourceFile.isDirectory(joined(folder.path, "OTR/SessionStorage"))
        {
            return .chromeState
        }
        let windows = [FirefoxIOSReader.primaryFolder, FirefoxIOSReader.backupFolder]
        if windows.contains(where: { folder.has($0, .directory) }) { return .firefoxIOSProfile }
        if lastComponent(folder.path) == "SessionStorage" { return .chromeSessions }
        if FirefoxProfile.isProfile(folder) { return .firefoxProfile }
        if ChromiumProfile.isUserData(folder) { return .chromiumUserData }
        return ChromiumProfile.isProfile(folder) ? .chromiumProfile : nil
    }

    private func isChromeSession(_ folder: SourceFile.Folder) -> Bool {
        folder.has(ChromeIOSReader.metadataName)
            || folder.names(.directory).contains { name in
                ChromeIOSReader.tabID(ofDirectory: name) != nil
                    && SourceFile.isFile(joined(folder.path, name + "/data.pb"))
            }
    }

    // MARK: - Files

    func file(_ path: String) throws(StorageError) -> Role? {
        let name = lastComponent(path)
        if name == ChromeIOSReader.metadataName { return .chromeSession }
        var head = try SourceFile.head(path, count: 64)
        if ChromeIOSArchiveReader.isName(name), BinaryPropertyList.magic.starts(with: head) {
            return .file(.chromeIOSArchive)
        }
        guard !head.isEmpty, isWorthMore(SourceText(head).bytes, name) else { return nil }
        head = try SourceFile.head(path, count: Self.headBytes)
        if try isArchive(path, name, head) { return .file(.chromeIOSArchive) }
        if head.starts(with: SNSSFile.magic) { return .file(.chromiumSNSS) }
        if head.starts(with: MozLZ4.magic) {
            let text = MozLZ4.head(head, count: Self.headBytes)
            let format = json(text) ?? format(ofUndecided: text, name)
            return format == .firefoxDesktop ? .file(.firefoxDesktop) : nil
        }
        let isText = !head.starts(with: BinaryPropertyList.magic)
        if isText { head = SourceText(head).bytes }
        if let role = Self.markup(head) { return role }
        if let role = try self.json(head, path) { return role }
        if Self.isJSON(head), let format = format(ofUndecided: head, name) { return .file(format) }
        return isLinks(name, head) ? .file(.links) : nil
    }

    /// Returns whether a file needs a closer check. The first bytes rule out most files.
    private func isWorthMore(_ head: [UInt8], _ name: String) -> Bool {
        let magics = [SNSSFile.magic, MozLZ4.magic, BinaryPropertyList.magic]
        return magics.contains { head.starts(with: $0) || $0.starts(with: head) }
            || Self.isJSON(head) || Self.isLinksName(name) || Self.isMarkup(head)
            || LinksReader.header.starts(with: head.prefix(LinksReader.header.count))
    }

    /// Returns whether the file is a property list that names the class of a window. A file with
    /// the name of an archive does not need that class, because it may have lost everything.
    private func isArchive(_ path: String, _ name: String, _ head: [UInt8])
        throws(StorageError) -> Bool
    {
        guard head.starts(with: BinaryPropertyList.magic) else { return false }
        if ChromeIOSArchiveReader.isName(name) { return true }
        let bytes = try SourceFile.read(path, limit: limits.maximumFileBytes)
        return Data(bytes).range(of: Data(ChromeIOSArchiveReader.windowClass.utf8)) != nil
    }

    /// Returns whether the text may begin an object or a list.
    private static func isJSON(_ head: [UInt8]) -> Bool {
        let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        return start.first { $0 > 0x20 }.map { "{([".utf8.contains($0) } ?? false
    }

    private static func isMarkup(_ head: [UInt8]) -> Bool {
        head.first { $0 > 0x20 } == UInt8(ascii: "<")
    }

    /// Returns the role of a file of bookmarks, or of a page of this package; `nil` for others.
    private static func markup(_ head: [UInt8]) -> Role? {
        guard isMarkup(head) else { return nil }
        let start = String(decoding: head.prefix(4096), as: UTF8.self).trimmed.lowercased()
        if start.hasPrefix(BookmarksReader.magic) { return .file(.bookmarks) }
        return head.firstRange(of: PageReader.magic) == nil ? nil : .file(.page)
    }

    /// Returns the role of an object with such members; `nil` for others. Reads only the first
    /// bytes, so a name at the end of a large export of another program does not identify it.
    private func json(_ head: [UInt8], _ path: String) throws(StorageError) -> Role? {
        guard Self.isJSON(head) else { return nil }
        if let format = json(head) { return .file(format) }
        guard let root = JSONParser.parse(head).value else { return nil }
        return ForeignExport.program(of: root).map { .foreign(program: $0) }
    }

    private func json(_ head: [UInt8]) -> SessionFormat? {
        guard Self.isJSON(head), let root = JSONParser.parse(head).value else { return nil }
        if CanonicalReader.isCanonical(root) { return .canonical }
        if root["tabData"]?.array != nil { return .firefoxIOS }
        return FirefoxDesktopReader.isSession(root) ? .firefoxDesktop : nil
    }

    /// Returns the format by name, if the text is truncated or damaged too early to show it.
    private func format(ofUndecided text: [UInt8], _ name: String) -> SessionFormat? {
        guard let format = Self.format(ofName: name) else { return nil }
        let (value, failures) = JSONParser.parse(text)
        return value == nil || !failures.isEmpty ? format : nil
    }

    /// Returns the format of files that usually have this name; `nil` for other names.
    static func format(ofName name: String) -> SessionFormat? {
        if FirefoxIOSReader.window(ofFile: name) != nil { return .firefoxIOS }
        return FirefoxProfile.isSessionName(name) ? .firefoxDesktop : nil
    }

    private static func isLinksName(_ name: String) -> Bool {
        [".tsv", ".txt", ".urls", ".links", ".list", ".md", ".markdown", ".csv"].contains {
            name.lowercased().hasSuffix($0)
        }
    }

    /// Returns whether a file has a table's header, or a list's name and addresses in half its lines.
    private func isLinks(_ name: String, _ head: [UInt8]) -> Bool {
        if head.starts(with: LinksReader.header) { return true }
        guard Self.isLinksName(name) else { return false }
        var lines = head.split(separator: 0x0A)
        if head.count == Self.headBytes, lines.count > 1 { lines.removeLast() }
        return LinksReader.form(of: lines) != nil
    }
}
