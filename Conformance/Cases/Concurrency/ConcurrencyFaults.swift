import BrowserSessions
import StorageEngines

/// Faults in locking.
enum LockFaults {
    /// Opens a store that another opener has.
    static func breakLock(_ configuration: StorageConfiguration, _ open: FaultyBackend.Opening)
        throws -> any SessionStorage
    {
        do throws(StorageError) {
            return try open(configuration)
        } catch {
            guard error.code == .locked else { throw error }
            return try Self.open(configuration, on: Altered<Unlocked>())
        }
    }
    /// A store on a machine with directories that have a fault.
    fileprivate static func open(
        _ configuration: StorageConfiguration, on system: any LocalFileSystem,
        _ faults: ReferenceFaults = []
    ) throws(StorageError) -> any SessionStorage {
        let engine = ReferenceEngine(faults)
        return try OrderedSessionStorage(opening: configuration, engine: engine, on: system)
    }
    /// The machine's files, with other directories.
    struct Altered<Directory: AlteredDirectory>: LocalFileSystem {
        let base = PosixFileSystem()
        var user: UInt32 { base.user }
        func status(of path: String) throws(StorageError) -> FileStatus? {
            try base.status(of: path)
        }
        func directory(at path: String) throws(StorageError) -> any FileDirectory {
            Directory(try base.directory(at: path))
        }
        func makeDirectories(_ path: String) throws(StorageError) { try base.makeDirectories(path) }
        func requireAccess(to path: String) throws(StorageError) {
            try base.requireAccess(to: path)
        }
    }
    /// A directory without a lock, that does not say who has it.
    final class Unlocked: AlteredDirectory {
        let base: any FileDirectory
        init(_ base: any FileDirectory) { self.base = base }
        func lock() -> Bool { true }
        func unlock() {}
        func open(_ name: String, mode: FileMode) throws(StorageError) -> any OpenFile {
            try base.open(name == "lock" && mode == .read ? "nothing" : name, mode: mode)
        }
    }
    /// A directory that does not say when a name leads to another file.
    final class Unwatched: AlteredDirectory {
        let base: any FileDirectory
        init(_ base: any FileDirectory) { self.base = base }
        func stamp(of name: String, timed: Bool) -> FileStamp? {
            FileStamp(file: 1, size: 1, changed: 1)
        }
        func directory(_ name: String) throws(StorageError) -> any FileDirectory {
            Unwatched(try base.directory(name))
        }
    }
}
protocol AlteredDirectory: FileDirectoryDecorator { init(_ base: any FileDirectory) }
extension FaultyBackend {
    /// Takes a name for the file that it led to before.
    static func unwatched(
        _ name: String, says message: String, engine faults: ReferenceFaults = []
    ) -> FaultyBackend {
        let system = LockFaults.Altered<LockFaults.Unwatched>()
        return FaultyBackend(
            name, says: message, opening: { try LockFaults.open($0, on: system, faults) })
    }
}
