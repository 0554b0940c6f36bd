package import BrowserSessions
import Foundation
import StorageConformance
package import StorageEngines

extension StorageBackend {
    /// Opens the store named `profile` in the folder.
    ///
    /// The key of its incognito partition is in a file, unless the options or the backend say otherwise:
    /// so tests can copy stores, and leave nothing in the keyring of the user who runs them.
    package func open(
        _ folder: TemporaryFolder, _ name: String = "profile", options: [String: OptionValue] = [:]
    ) async throws -> any SessionStorage {
        var options = options
        let takesFile = self.options.contains {
            $0.name == "incognitoKeys" && $0.accepts(.text("file"))
        }
        if takesFile, options["incognitoKeys"] == nil { options["incognitoKeys"] = .text("file") }
        return try await open(
            StorageConfiguration(location: folder.file(name), options: options))
    }

    /// A closed store of 20 tabs with damaged regular files.
    package func damagedStore() async throws -> TemporaryFolder {
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
    package func kill(_ store: any SessionStorage) async throws {
        try FileSystem.copy(file("profile"), to: file("killed"))
        try await store.close()
        try LocationFiles.replace(file("profile"), withCopyOf: file("killed"))
        try remove("killed")
    }
}

extension FileSystem {
    /// Inverts the first bytes of every file below a directory.
    package static func invertFiles(below path: String, first count: Int = .max) throws {
        for (file, bytes) in try files(in: path) {
            try replace(file, with: bytes.prefix(count).map { ~$0 } + bytes.dropFirst(count))
        }
    }
}

/// Values with nothing special about them.
package enum Sample {
    package static let window = SessionID(window: WindowID(high: 1, low: 1))
    package static let otherWindow = SessionID(window: WindowID(high: 1, low: 2))
    package static let incognito = SessionID(window: WindowID(high: 1, low: 1), kind: .incognito)

    private static let places = OrderKey.evenlySpaced(count: 1000)

    package static func tab(_ number: Int, place: OrderKey? = nil) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 7, low: UInt64(number)),
            place: place ?? places[number],
            url: "https://example.org/page/\(number)",
            title: "Page \(number)",
            createdAt: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number)),
            lastActiveAt: Timestamp(microseconds: 1_700_000_100_000_000 + Int64(number)),
            navigationItemCount: 1)
    }

    package static func window(tabs: Int, id: SessionID = window) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "Window", activeTab: tab(0).id), for: id)
        for number in 0..<tabs { changes.put(tab(number), in: id) }
        return changes
    }
}

/// The error that a call throws; `nil` if it throws none or another kind of error.
package func error(_ call: () async throws -> Void) async -> StorageError? {
    do {
        try await call()
        return nil
    } catch { return error as? StorageError }
}

/// The code of the error that a call throws; `nil` if it throws none or another error.
package func errorCode(_ call: () async throws -> Void) async -> StorageError.Code? {
    await error(call)?.code
}
