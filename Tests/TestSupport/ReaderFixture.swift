package import BrowserSessions
import Foundation
package import StorageEngines

/// The machine's file systems, with temporary files in a folder of the test.
package struct OwnTemporaryFiles: LocalFileSystem {
    private let base = PosixFileSystem()
    private let temporary: String
    private let folder: String

    /// - Parameter folder: the folder that takes the place of the one for temporary files.
    package init(in folder: String) {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        temporary = named.isEmpty ? "/tmp" : named
        self.folder = folder
    }

    package var user: UInt32 { base.user }

    private func path(_ path: String) -> String { path == temporary ? folder : path }

    package func status(of path: String) throws(StorageError) -> FileStatus? {
        try base.status(of: self.path(path))
    }

    package func directory(at path: String) throws(StorageError) -> any FileDirectory {
        try base.directory(at: self.path(path))
    }

    package func realPath(of path: String) throws(StorageError) -> String? {
        path == temporary ? folder : try base.realPath(of: path)
    }

    package func makeDirectories(_ path: String) throws(StorageError) {
        try base.makeDirectories(path)
    }
    package func removeDirectory(_ path: String) throws(StorageError) {
        try base.removeDirectory(path)
    }
    package func requireAccess(to path: String) throws(StorageError) {
        try base.requireAccess(to: path)
    }
}

/// A store with an owner in this process, and readers beside it.
package struct ReaderFixture {
    package let engine: any FileEngine
    package let folder = TemporaryFolder()

    package init(_ engine: any FileEngine) throws {
        self.engine = engine
        try FileSystem.makeDirectory(temporary)
    }

    package var location: String { folder.file("profile") }
    /// The folder that holds the copies of readers.
    package var temporary: String { folder.file("temporary") }
    package var files: OwnTemporaryFiles { OwnTemporaryFiles(in: temporary) }

    /// Opens the store for its owner, without sealing.
    package func own() throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: location), engine: engine, on: files)
    }

    package func read(on files: (any LocalFileSystem)? = nil) throws -> StoreReader {
        try OrderedSessionStorage.openReader(
            StorageConfiguration(location: location), engine: engine,
            on: files ?? self.files)
    }

    package func copies() throws -> [String] { try FileSystem.contents(of: temporary) }
}

extension Sample {
    /// A change of one window with a state.
    package static func step(_ number: Int) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "\(number)", activeTab: tab(0).id), for: window)
        changes.put(tab(number % 20), in: window)
        let key = TabStateKey(tab: tab(number % 20).id, name: .navigation, partition: .regular)
        changes.put([UInt8](repeating: UInt8(number % 256), count: 3000), for: key)
        return changes
    }

    /// The number of the last step in a store; throws unless all of it is there.
    package static func lastStep(in store: any SessionStorage) async throws -> Int {
        guard let session = try await store.restore(window),
            let number = Int(session.attributes.title)
        else { return 0 }
        let tabs = Set((max(1, number - 19)...max(1, number)).map { tab($0 % 20).id })
        let keys = session.tabs.map {
            TabStateKey(tab: $0.id, name: .navigation, partition: .regular)
        }
        let states = try await store.states(of: keys)
        let last = TabStateKey(tab: tab(number % 20).id, name: .navigation, partition: .regular)
        guard Set(session.tabs.map(\.id)) == tabs, states.count == tabs.count,
            states[last] == [UInt8](repeating: UInt8(number % 256), count: 3000)
        else { throw StorageError(.corrupted, "step \(number) is not whole") }
        return number
    }
}
