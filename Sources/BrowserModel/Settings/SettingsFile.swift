import BrowserSessions
import StorageEngines

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Local settings in a JSON file that people can read and edit.
///
/// The file is replaced as a whole: after a power failure it is either the old or the new one. Only
/// its owner may read it. It is read once, at first use. If it cannot be read or understood, it is
/// left unchanged: every setting is then unreadable and none can be set, until someone repairs or
/// moves the file and a new ``SettingsFile`` is created. Use one instance per file: two at the same
/// time would overwrite each other's settings.
public final class SettingsFile: SettingsStorage {
    /// The path of the file, which is missing until the first setting is stored.
    package let path: String
    private var loaded: [String: StoredSetting]?

    /// - Parameter path: the path of the file, which need not exist; its directory must.
    public init(path: String) { self.path = path }

    /// Returns the value with a name; `nil` if there is no such value, or no file.
    ///
    /// - Throws: `StorageError` with the code `corrupted` if the file is not one of settings, or
    ///   the error of the file system.
    public func setting(named name: String) throws -> StoredSetting? { try load()[name] }

    /// Stores a value, or removes it for `nil`, and replaces the file. Writes nothing if the value
    /// is the same.
    ///
    /// - Throws: the errors of ``setting(named:)``, or the error of the file system. The former
    ///   file then remains.
    public func setSetting(_ value: StoredSetting?, named name: String) throws {
        var settings = try load()
        guard settings[name] != value else { return }
        settings[name] = value
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileSystem.replace(
            path, with: [UInt8](try encoder.encode(settings.mapValues { FileSetting($0) })))
        loaded = settings
    }

    private func load() throws -> [String: StoredSetting] {
        if let loaded { return loaded }
        var settings: [String: StoredSetting] = [:]
        if try FileSystem.exists(path) {
            let bytes = try FileSystem.read(path)
            do {
                settings = try JSONDecoder().decode(
                    [String: FileSetting].self, from: Data(bytes)
                ).mapValues(\.value)
            } catch {
                throw StorageError(
                    .corrupted, "'\(path)' is not a file of settings: repair it or move it away",
                    operation: "settings", underlying: error)
            }
        }
        loaded = settings
        return settings
    }
}

/// A setting as the file has it.
private struct FileSetting: Codable {
    let value: StoredSetting

    init(_ value: StoredSetting) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self.value = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self.value = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self.value = .text(value)
        } else {
            value = .texts(try container.decode([String].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .texts(let value): try container.encode(value)
        }
    }
}
