import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines
import TestSupport

/// The machine's file systems, with temporary files in a folder of the test.
struct OwnTemporaryFiles: LocalFileSystem {
    private let base = PosixFileSystem()
    private let temporary: String
    private let folder: String

    /// - Parameter folder: the folder that takes the place of the one for temporary files.
    init(in folder: String) {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        temporary = named.isEmpty ? "/tmp" : named
        self.folder = folder
    }

    var user: UInt32 { base.user }

    private func path(_ path: String) -> String { path == temporary ? folder : path }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        try base.status(of: self.path(path))
    }

    func directory(at path: String) throws(StorageError) -> any FileDirectory {
        try base.directory(at: self.path(path))
    }

    func realPath(of path: String) throws(StorageError) -> String? {
        path == temporary ? folder : try base.realPath(of: path)
    }

    func makeDirectories(_ path: String) throws(StorageError) { try base.makeDirectories(path) }
    func removeDirectory(_ path: String) throws(StorageError) { try base.removeDirectory(path) }
    func requireAccess(to path: String) throws(StorageError) { try base.requireAccess(to: path) }
}

/// A store with an owner in this process, and readers beside it.
struct ReaderFixture {
    let subject: Subject
    let folder = TemporaryFolder()

    init(_ subject: Subject) throws {
        self.subject = subject
        try FileSystem.makeDirectory(temporary)
    }

    var location: String { folder.file("profile") }
    /// The folder that holds the copies of readers.
    var temporary: String { folder.file("temporary") }
    var files: OwnTemporaryFiles { OwnTemporaryFiles(in: temporary) }

    /// Opens the store for its owner, without sealing.
    func own() throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: location), engine: subject.engine, on: files)
    }

    func read(on files: (any LocalFileSystem)? = nil) throws -> StoreReader {
        try OrderedSessionStorage.openReader(
            StorageConfiguration(location: location), engine: subject.engine,
            on: files ?? self.files)
    }

    func copies() throws -> [String] { try FileSystem.contents(of: temporary) }
}

extension Sample {
    /// A change of one window with a state.
    static func step(_ number: Int) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "\(number)", activeTab: tab(0).id), for: window)
        changes.put(tab(number % 20), in: window)
        let key = TabStateKey(tab: tab(number % 20).id, name: .navigation, partition: .regular)
        changes.put([UInt8](repeating: UInt8(number % 256), count: 3000), for: key)
        return changes
    }

    /// The number of the last step in a store; throws unless all of it is there.
    static func lastStep(in store: any SessionStorage) async throws -> Int {
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
