import BrowserSessions
import StorageEngines
import Synchronization

/// A directory of a ``SimulatedFileSystem``.
final class SimulatedDirectory: FileDirectory {
    let path: String
    private let system: SimulatedFileSystem
    private let node: Int

    init(_ system: SimulatedFileSystem, _ node: Int, _ path: String) {
        self.system = system
        self.node = node
        self.path = path
    }

    var pathForLibraries: String { path }
    var user: UInt32 { system.user }
    var freeBytes: Int { 1 << 40 }
    var remoteFileSystem: String? { system.remoteFileSystem }

    /// Returns the path of a name from the file system's root; `nil` if the directory was removed.
    private func place(_ name: String, _ state: SimulatedFileSystem.State) -> String? {
        let name = SimulatedFileSystem.own(name)
        return state.path(of: node).map { $0.isEmpty ? name : "\($0)/\(name)" }
    }

    /// Returns what has a name; `nil` if nothing does.
    private func entry(_ name: String, _ state: SimulatedFileSystem.State) -> Int? {
        state.disk.names.entries[node]?[SimulatedFileSystem.own(name)]
    }

    /// Performs one operation on a name in this directory, which must exist.
    private func perform<Success>(
        _ operation: String, _ name: String,
        _ work: (inout SimulatedFileSystem.State, String) -> Success?
    ) throws(StorageError) -> Success {
        let result = try system.perform(operation, path(of: name)) { state in
            place(name, state).flatMap { work(&state, $0) }
        }
        guard let result else { throw SimulatedFileSystem.absent(operation, path(of: name)) }
        return result
    }

    func names() throws(StorageError) -> [String] {
        try system.perform("list", path) { state in
            (state.disk.names.entries[node] ?? [:]).keys.sorted()
        }
    }

    func status(of name: String) throws(StorageError) -> FileStatus? {
        try system.perform("examine", path(of: name)) { state in
            entry(name, state).map { state.status(of: $0) }
        }
    }

    func stamp(of name: String, timed: Bool) throws(StorageError) -> FileStamp? {
        try system.perform("examine", path(of: name)) { state in
            (name == "." ? node : entry(name, state)).map { node in
                let status = state.status(of: node)
                return FileStamp(
                    file: UInt64(node), size: status.size,
                    changed: state.disk.names.changes[node, default: 0],
                    isDirectory: status.kind == .directory)
            }
        }
    }

    func open(_ name: String, mode: FileMode) throws(StorageError) -> any OpenFile {
        enum Found {
            case file(Int)
            case taken
        }
        let found = try perform("open", name) { state, path -> Found? in
            let there = entry(name, state)
            if mode == .new {
                return there == nil ? state.makeFile(path).map { .file($0) } : .taken
            }
            return there.flatMap { state.disk.files[$0] == nil ? nil : .file($0) }
        }
        guard case .file(let file) = found else {
            throw StorageError(
                .failed, "cannot open '\(path(of: name))': File exists", operation: "open")
        }
        return SimulatedOpenFile(system, file, path(of: name), mode)
    }

    func directory(_ name: String) throws(StorageError) -> any FileDirectory {
        let found = try perform("open", name) { state, path in state.directory(at: path) }
        return SimulatedDirectory(system, found, path(of: name))
    }

    func makeDirectory(_ name: String) throws(StorageError) {
        try perform("make directory", name) { state, path -> Void? in
            if entry(name, state) == nil { state.makeDirectory(path) }
            return ()
        }
    }

    func rename(
        _ name: String, to other: String, in directory: (any FileDirectory)?, replacing: Bool
    ) throws(StorageError) {
        let target = directory as? SimulatedDirectory ?? self
        let isDone = try perform("rename", name) { state, path -> Bool? in
            guard let moved = entry(name, state),
                let number = state.numbers[moved], let to = target.place(other, state)
            else { return nil }
            if state.disk.names.node(at: to) != nil, !replacing { return false }
            state.disk.apply(.rename(path: path, to: to, node: number))
            return true
        }
        guard isDone else {
            throw StorageError(
                .failed, "cannot rename '\(path(of: name))': File exists", operation: "rename")
        }
    }

    func link(_ name: String, as other: String) throws(StorageError) {
        throw StorageError(.unsupported, "'\(path(of: name))' cannot have a second name")
    }

    func removeEntry(_ name: String) throws(StorageError) {
        try system.perform("remove", path(of: name)) { state in
            guard entry(name, state) != nil, let path = place(name, state) else { return }
            state.disk.apply(.unlink(path: path))
        }
    }

    func sync() throws(StorageError) {
        try system.perform("sync", path) { state in
            guard let path = state.path(of: node) else { return }
            state.disk.apply(.syncDirectory(path: path, isDone: true))
        }
    }

    func lock() -> Bool { system.state.withLock { $0.locked.insert(node).inserted } }
    func unlock() { _ = system.state.withLock { $0.locked.remove(node) } }

    func whereabouts() -> DirectoryWhereabouts {
        let now = system.state.withLock { $0.path(of: node) }
        guard let now else { return .removed }
        return now.split(separator: "/") == path.split(separator: "/") ? .inPlace : .moved
    }
}

/// A file of a ``SimulatedFileSystem``.
final class SimulatedOpenFile: OpenFile {
    private let system: SimulatedFileSystem
    private let node: Int
    private let path: String
    private let isAppended: Bool
    /// The position of writes that do not append.
    private let position = Mutex(0)

    init(_ system: SimulatedFileSystem, _ node: Int, _ path: String, _ mode: FileMode) {
        self.system = system
        self.node = node
        self.path = path
        isAppended = mode == .append
    }

    func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        try system.perform("read", path) { state in
            [UInt8](state.disk.files[node]?.cached.dropFirst(offset).prefix(count) ?? [])
        }
    }

    func write(_ bytes: [UInt8]) throws(StorageError) {
        try system.perform("write", path) { state in
            guard let number = state.numbers[node], !bytes.isEmpty else { return }
            let offset =
                isAppended
                ? state.disk.files[node]?.cached.count ?? 0
                : position.withLock { position in
                    defer { position += bytes.count }
                    return position
                }
            state.disk.apply(.write(node: number, offset: offset, bytes: bytes[...]))
        }
    }

    func size() throws(StorageError) -> Int {
        try system.perform("examine", path) { $0.disk.files[node]?.cached.count ?? 0 }
    }

    func writtenSize() throws(StorageError) -> Int { try size() }

    func truncate(to size: Int) throws(StorageError) {
        try system.perform("truncate", path) { state in
            guard let number = state.numbers[node] else { return }
            state.disk.apply(.truncate(node: number, length: size))
        }
    }

    /// A failed sync loses what it should have made durable: the next one does not write it again.
    func syncData() throws(StorageError) {
        let number = system.state.withLock { $0.numbers[node] } ?? 0
        do throws(StorageError) {
            try system.perform("sync", path) {
                $0.disk.apply(.sync(node: number, isOfData: true, isDone: true))
            }
        } catch {
            system.state.withLock {
                $0.disk.apply(.sync(node: number, isOfData: true, isDone: false))
            }
            throw error
        }
    }

    func isRemoved() -> Bool { system.state.withLock { $0.path(of: node) == nil } }
}
