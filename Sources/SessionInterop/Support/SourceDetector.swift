import BrowserSessions
import Foundation

/// Tells what a file or folder is: a file by what it holds and, where that leaves a choice, by its
/// name; a folder by what is in it.
struct SourceDetector {
    let limits: ImportLimits

    /// What a path is for an importer.
    enum Role: Hashable {
        /// One file with sessions.
        case file(SessionFormat)
        /// An export of another program, which is not read.
        case foreign(program: String)
        /// One session directory of Chrome for iOS.
        case chromeSession
        /// A directory of session directories.
        case chromeSessions
        /// A state directory, with or without one for incognito inside.
        case chromeState
        /// A profile of Firefox for iOS.
        case firefoxIOSProfile
        /// A profile of Firefox for desktop.
        case firefoxProfile
        /// A profile of Chromium.
        case chromiumProfile
        /// A folder of profiles of Chromium.
        case chromiumUserData

        /// `nil` for what is not read.
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

    /// How much of a file is looked at to tell what it is.
    private static let headBytes = 64 * 1024

    /// `nil` if it is not known, or an ordinary folder.
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

    /// Most files of a folder are nothing of ours, which their first bytes tell.
    private func isWorthMore(_ head: [UInt8], _ name: String) -> Bool {
        let magics = [SNSSFile.magic, MozLZ4.magic, BinaryPropertyList.magic]
        return magics.contains { head.starts(with: $0) || $0.starts(with: head) }
            || Self.isJSON(head) || Self.isLinksName(name) || Self.isMarkup(head)
            || LinksReader.header.starts(with: head.prefix(LinksReader.header.count))
    }

    /// A property list that names the class of a window. One with the name of an archive needs not,
    /// and may have lost everything.
    private func isArchive(_ path: String, _ name: String, _ head: [UInt8])
        throws(StorageError) -> Bool
    {
        guard head.starts(with: BinaryPropertyList.magic) else { return false }
        if ChromeIOSArchiveReader.isName(name) { return true }
        let bytes = try SourceFile.read(path, limit: limits.maximumFileBytes)
        return Data(bytes).range(of: Data(ChromeIOSArchiveReader.windowClass.utf8)) != nil
    }

    /// Whether the text may begin an object.
    private static func isJSON(_ head: [UInt8]) -> Bool {
        let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        return start.first { $0 > 0x20 }.map { "{([".utf8.contains($0) } ?? false
    }

    private static func isMarkup(_ head: [UInt8]) -> Bool {
        head.first { $0 > 0x20 } == UInt8(ascii: "<")
    }

    /// A file of bookmarks, or our own page.
    private static func markup(_ head: [UInt8]) -> Role? {
        guard isMarkup(head) else { return nil }
        let start = String(decoding: head.prefix(4096), as: UTF8.self).trimmed.lowercased()
        if start.hasPrefix(BookmarksReader.magic) { return .file(.bookmarks) }
        return head.firstRange(of: PageReader.magic) == nil ? nil : .file(.page)
    }

    /// By what the object says; an export of another program by all of it, since a name at its end may
    /// tell.
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

    /// Of a text that is cut or damaged before it tells, the name does.
    private func format(ofUndecided text: [UInt8], _ name: String) -> SessionFormat? {
        guard let format = Self.format(ofName: name) else { return nil }
        let (value, failures) = JSONParser.parse(text)
        return value == nil || !failures.isEmpty ? format : nil
    }

    /// The format of files that are usually named so.
    static func format(ofName name: String) -> SessionFormat? {
        if FirefoxIOSReader.window(ofFile: name) != nil { return .firefoxIOS }
        return FirefoxProfile.isSessionName(name) ? .firefoxDesktop : nil
    }

    private static func isLinksName(_ name: String) -> Bool {
        [".tsv", ".txt", ".urls", ".links", ".list", ".md", ".markdown", ".csv"].contains {
            name.lowercased().hasSuffix($0)
        }
    }

    /// The header of a table, or a name for lists and lines most of which end in an address.
    private func isLinks(_ name: String, _ head: [UInt8]) -> Bool {
        if head.starts(with: LinksReader.header) { return true }
        guard Self.isLinksName(name) else { return false }
        var lines = head.split(separator: 0x0A)
        if head.count == Self.headBytes, lines.count > 1 { lines.removeLast() }
        return LinksReader.form(of: lines) != nil
    }
}
