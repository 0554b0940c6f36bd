import BrowserSessions
import Foundation

/// Tells what a file or directory is, by its first bytes, its name and what is beside it.
struct SourceDetector {
    let limits: ImportLimits

    /// What a path is for an importer.
    enum Role: Hashable {
        /// One file with sessions.
        case file(SessionFormat)
        /// One session directory of Chrome for iOS.
        case chromeSession
        /// A directory of session directories.
        case chromeSessions
        /// A state directory, with or without one for incognito inside.
        case chromeState
        /// A profile of Firefox for iOS.
        case firefoxProfile

        var format: SessionFormat {
            switch self {
            case .file(let format): format
            case .chromeSession, .chromeSessions, .chromeState: .chromeIOS
            case .firefoxProfile: .firefoxIOS
            }
        }
    }

    /// `nil` if it is not known, or an ordinary folder.
    func detect(_ path: String) throws(StorageError) -> Role? {
        switch try SourceFile.kind(of: path) {
        case nil: throw SourceFile.failure(.notFound, "there is nothing at \(path)")
        case .file: return try file(path)
        case .directory: return try directory(path)
        case .other: return nil
        }
    }

    private func directory(_ path: String) throws(StorageError) -> Role? {
        let names = try SourceFile.names(in: path)
        if isChromeSession(path, names) { return .chromeSession }
        if names.contains("SessionStorage") || names.contains("OTR") {
            let inside = ["SessionStorage", "OTR/SessionStorage"].contains {
                SourceFile.isDirectory(joined(path, $0))
            }
            if inside { return .chromeState }
        }
        let firefox = [FirefoxIOSReader.primaryFolder, FirefoxIOSReader.backupFolder]
        if firefox.contains(where: { names.contains($0) }) { return .firefoxProfile }
        if lastComponent(path) == "SessionStorage" { return .chromeSessions }
        return nil
    }

    private func isChromeSession(_ path: String, _ names: [String]) -> Bool {
        names.contains(ChromeIOSReader.metadataName)
            || names.contains { name in
                ChromeIOSReader.tabID(ofDirectory: name) != nil
                    && SourceFile.isFile(joined(path, name + "/data.pb"))
            }
    }

    private func file(_ path: String) throws(StorageError) -> Role? {
        let name = lastComponent(path)
        let head = try SourceFile.head(path, count: 64 * 1024)
        if name == ChromeIOSReader.metadataName { return .chromeSession }
        if try isArchive(path, name, head) { return .file(.chromeIOSArchive) }
        if head.starts(with: SNSSFile.magic) { return .file(.chromiumSNSS) }
        if head.starts(with: MozLZ4.magic) { return .file(.firefoxDesktop) }
        if FirefoxIOSReader.window(ofFile: name) != nil { return .file(.firefoxIOS) }
        if let first = head.first(where: { $0 > 0x20 }), "{(".utf8.contains(first) || first == 0xEF
        {
            if let format = json(head) { return .file(format) }
        }
        if isFirefoxName(name), !head.isEmpty { return .file(.firefoxDesktop) }
        return isLinks(name, head) ? .file(.links) : nil
    }

    /// A property list that names the class of a window. One with the name of an archive needs not,
    /// and may have lost everything.
    private func isArchive(_ path: String, _ name: String, _ head: [UInt8])
        throws(StorageError) -> Bool
    {
        let magic = BinaryPropertyList.magic
        guard head.starts(with: magic) else {
            return ChromeIOSArchiveReader.isName(name) && magic.starts(with: head)
        }
        if ChromeIOSArchiveReader.isName(name) { return true }
        let bytes = try SourceFile.read(path, limit: limits.maximumFileBytes)
        return Data(bytes).range(of: Data(ChromeIOSArchiveReader.windowClass.utf8)) != nil
    }

    private func json(_ head: [UInt8]) -> SessionFormat? {
        let root = JSONParser.parse(head).value
        if root?["tabData"] != nil { return .firefoxIOS }
        return root?["windows"] != nil ? .firefoxDesktop : nil
    }

    private func isFirefoxName(_ name: String) -> Bool {
        let stem = name.lowercased()
        return ["sessionstore", "recovery.", "previous.", "upgrade."].contains {
            stem.hasPrefix($0)
        } && [".js", ".json", ".jsonlz4", ".baklz4", ".bak"].contains { stem.hasSuffix($0) }
    }

    /// The header of a table, or a name for lists and a first line that ends in an address.
    private func isLinks(_ name: String, _ head: [UInt8]) -> Bool {
        if head.starts(with: LinksReader.header) { return true }
        let suffixes = [".tsv", ".txt", ".urls", ".links", ".list"]
        guard suffixes.contains(where: { name.lowercased().hasSuffix($0) }) else { return false }
        let lines = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard let first = lines.first(where: { $0.first != UInt8(ascii: "#") }) else {
            return false
        }
        let field = first.split(separator: 0x09).last ?? []
        return LinksReader.isAddress(String(decoding: field, as: UTF8.self))
    }
}
