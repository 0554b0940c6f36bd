import BrowserSessions
import StorageEngines

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The names of profiles in a JSON file.
///
/// The file is replaced as a whole: after a power failure it is either the old or the new one. Only
/// its owner may read it. It is read on every request. A file that cannot be read or understood, or
/// that a newer version wrote, is left unchanged: no profile can be created or removed until
/// someone repairs or moves the file.
public final class ProfileNamesFile: ProfileNameStorage {
    /// The path of the file, which is missing until the first names are stored.
    public let path: String

    /// - Parameter path: the path of the file, which need not exist; its directory must.
    public init(path: String) { self.path = path }

    private struct Content: Codable {
        static let version = 1
        var version = Content.version
        var profiles: [String]
    }

    private struct Version: Decodable {
        var version: Int
    }

    /// Reads the names from the file; `[]` if there is no file.
    ///
    /// - Throws: `StorageError` with the code `corrupted` if the file is not a list of profiles or
    ///   a newer version wrote it, or the error of the file system.
    public func names() throws -> [String] {
        guard try FileSystem.exists(path) else { return [] }
        let data = Data(try FileSystem.read(path))
        do {
            let version = try JSONDecoder().decode(Version.self, from: data).version
            guard version == Content.version else {
                throw StorageError(
                    .unsupported, "it is of version \(version)", operation: "profile names")
            }
            let names = try JSONDecoder().decode(Content.self, from: data).profiles
            for name in names { try ProfileName.check(name) }
            return names
        } catch {
            throw StorageError(
                .corrupted, "'\(path)' is no list of profiles: repair it or move it away",
                operation: "profile names", underlying: error)
        }
    }

    /// Replaces the file.
    ///
    /// - Throws: the `StorageError` of the file system. The former file then remains.
    public func setNames(_ names: [String]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileSystem.replace(path, with: [UInt8](try encoder.encode(Content(profiles: names))))
    }
}
