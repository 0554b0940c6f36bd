import BrowserSessions
import StorageConformance
import StorageEngines
import Synchronization

/// What a test does between any two file operations of the code that it tries.
final class Steps: Sendable {
    private struct State {
        var count = 0
        var isInside = false
    }

    private let state = Mutex(State())
    private let work: @Sendable (Int) -> Void

    /// - Parameter work: is called before each operation with its number; operations of its own are
    ///   no steps.
    init(_ work: @escaping @Sendable (Int) -> Void) { self.work = work }

    var count: Int { state.withLock { $0.count } }

    func step() {
        let number: Int? = state.withLock { state in
            if state.isInside { return nil }
            state.isInside = true
            state.count += 1
            return state.count
        }
        guard let number else { return }
        work(number)
        state.withLock { $0.isInside = false }
    }
}

/// A directory in which something happens before each operation.
final class SteppedDirectory: FileDirectoryDecorator {
    let base: any FileDirectory
    private let steps: Steps

    init(_ base: any FileDirectory, _ steps: Steps) {
        self.base = base
        self.steps = steps
    }

    func names() throws(StorageError) -> [String] {
        steps.step()
        return try base.names()
    }

    func status(of name: String) throws(StorageError) -> FileStatus? {
        steps.step()
        return try base.status(of: name)
    }

    func has(_ name: String) throws(StorageError) -> Bool {
        steps.step()
        return try base.has(name)
    }

    func open(_ name: String, mode: FileMode) throws(StorageError) -> any OpenFile {
        steps.step()
        return SteppedFile(base: try base.open(name, mode: mode), steps: steps)
    }

    func directory(_ name: String) throws(StorageError) -> any FileDirectory {
        steps.step()
        return SteppedDirectory(try base.directory(name), steps)
    }

    func whereabouts() throws(StorageError) -> DirectoryWhereabouts {
        steps.step()
        return try base.whereabouts()
    }

    func lockShared() throws(StorageError) -> Bool {
        steps.step()
        return try base.lockShared()
    }
}

/// A file in which something happens before each operation.
private final class SteppedFile: OpenFile {
    private let base: any OpenFile
    private let steps: Steps

    init(base: any OpenFile, steps: Steps) {
        self.base = base
        self.steps = steps
    }

    func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        steps.step()
        return try base.read(count, at: offset)
    }

    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError)
        -> Int
    {
        steps.step()
        return try base.read(into: memory, at: offset)
    }

    func write(_ bytes: [UInt8]) throws(StorageError) {
        steps.step()
        try base.write(bytes)
    }

    func write(_ memory: UnsafeRawBufferPointer) throws(StorageError) {
        steps.step()
        try base.write(memory)
    }

    func size() throws(StorageError) -> Int {
        steps.step()
        return try base.size()
    }

    func writtenSize() throws(StorageError) -> Int {
        steps.step()
        return try base.writtenSize()
    }

    func written(from offset: Int) throws(StorageError) -> Range<Int>? {
        steps.step()
        return try base.written(from: offset)
    }

    func truncate(to size: Int) throws(StorageError) {
        steps.step()
        try base.truncate(to: size)
    }

    func syncData() throws(StorageError) { try base.syncData() }

    func isRemoved() throws(StorageError) -> Bool {
        steps.step()
        return try base.isRemoved()
    }
}

/// File systems in which something happens before each operation.
struct SteppedFileSystem: LocalFileSystem {
    private let base: any LocalFileSystem
    private let steps: Steps

    init(_ base: any LocalFileSystem, _ steps: Steps) {
        self.base = base
        self.steps = steps
    }

    var user: UInt32 { base.user }

    func status(of path: String) throws(StorageError) -> FileStatus? {
        steps.step()
        return try base.status(of: path)
    }

    func directory(at path: String) throws(StorageError) -> any FileDirectory {
        steps.step()
        return SteppedDirectory(try base.directory(at: path), steps)
    }

    func realPath(of path: String) throws(StorageError) -> String? { try base.realPath(of: path) }
    func makeDirectories(_ path: String) throws(StorageError) { try base.makeDirectories(path) }
    func removeDirectory(_ path: String) throws(StorageError) { try base.removeDirectory(path) }
    func requireAccess(to path: String) throws(StorageError) { try base.requireAccess(to: path) }
}
