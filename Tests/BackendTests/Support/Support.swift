import BrowserSessions
import DirectoryBackend
import Foundation
import LevelDBBackend
import LocalFiles
import SQLiteBackend
import StorageEngines
import TestSupport
import Testing

/// A backend under test. Adding one here runs every test of this folder with it.
///
/// `BROWSER_SESSIONS_BACKENDS` may name the ones to run, separated by commas.
struct Subject: CustomTestStringConvertible, Sendable {
    var backend: StorageBackend
    var testDescription: String { backend.name }

    static let all = [.directory, .sqlite, .leveldb].map(Subject.init(backend:)).filter {
        guard let names = ProcessInfo.processInfo.environment["BROWSER_SESSIONS_BACKENDS"] else {
            return true
        }
        return names.split(separator: ",").contains(Substring($0.backend.name))
    }
}

extension Subject {
    /// The same backend with the keys of incognito partitions in a key store of the test.
    func keeping(_ keyStore: any IncognitoKeyStore) -> Subject {
        switch backend.name {
        case "sqlite": Subject(backend: .sqlite(incognitoKeys: keyStore))
        case "leveldb": Subject(backend: .leveldb(incognitoKeys: keyStore))
        default: Subject(backend: .directory(incognitoKeys: keyStore))
        }
    }
}

extension Subject {
    /// Opens the store named `profile` in the folder.
    ///
    /// The key of its incognito partition is in a file, unless the options or the backend say otherwise:
    /// so tests can copy stores, and leave nothing in the keyring of the user who runs them.
    func open(
        _ folder: TemporaryFolder, _ name: String = "profile", options: [String: OptionValue] = [:]
    ) async throws -> any SessionStorage {
        var options = options
        let takesFile = backend.options.contains {
            $0.name == "incognitoKeys" && $0.accepts(.text("file"))
        }
        if takesFile, options["incognitoKeys"] == nil { options["incognitoKeys"] = .text("file") }
        return try await backend.open(
            StorageConfiguration(location: folder.file(name), options: options))
    }

    /// A closed store of 20 tabs with damaged regular files.
    func damagedStore() async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let store = try await open(folder)
        _ = try await store.save(Sample.window(tabs: 20))
        try await store.close()
        try FileSystem.invertFiles(below: folder.file("profile/regular"), first: 64)
        return folder
    }
}

extension TemporaryFolder {
    /// Closes the store named `profile`, and leaves its files as a kill would have left them.
    func kill(_ store: any SessionStorage) async throws {
        try FileSystem.copy(file("profile"), to: file("killed"))
        try await store.close()
        try FileSystem.remove(file("profile"))
        try FileSystem.move(file("killed"), to: file("profile"))
    }
}

/// Values with nothing special about them.
enum Sample {
    static let window = SessionID(window: WindowID(high: 1, low: 1))
    static let otherWindow = SessionID(window: WindowID(high: 1, low: 2))
    static let incognito = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    private static let places = OrderKey.evenlySpaced(count: 1000)

    static func tab(_ number: Int, place: OrderKey? = nil) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 7, low: UInt64(number)),
            place: place ?? places[number],
            url: "https://example.org/page/\(number)",
            title: "Page \(number)",
            createdAt: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number)),
            lastActiveAt: Timestamp(microseconds: 1_700_000_100_000_000 + Int64(number)),
            navigationItemCount: 1)
    }

    static func window(tabs: Int, id: SessionID = window) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "Window", activeTab: tab(0).id), for: id)
        for number in 0..<tabs { changes.put(tab(number), in: id) }
        return changes
    }
}

/// The code of the error that a call throws; `nil` if it throws none or another error.
func errorCode(_ call: () async throws -> Void) async -> StorageError.Code? {
    do {
        try await call()
        return nil
    } catch { return (error as? StorageError)?.code }
}

/// Writes a line beside the results of the tests: counts and seeds.
func log(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}

/// The error that a call throws; `nil` if it throws none or another kind of error.
func error(_ call: () async throws -> Void) async -> StorageError? {
    do {
        try await call()
        return nil
    } catch { return error as? StorageError }
}
