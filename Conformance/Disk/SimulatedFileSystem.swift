public import BrowserSessions
public import StorageEngines
import Synchronization

/// A file system in memory that forgets, tears, and fails on demand, for tests of everything that
/// keeps its files through `FileDirectory`.
///
/// ```swift
/// let disk = SimulatedFileSystem(.strict)
/// let store = try OrderedSessionStorage(opening: configuration, engine: MyEngine(), on: disk)
/// _ = try store.saveBlocking(changes, durability: .powerLoss)
/// let later = disk.afterPowerCut(keeping: .sample(7))
/// let survivor = try OrderedSessionStorage(opening: configuration, engine: MyEngine(), on: later)
/// ```
/// Simply release a store that was open when the power was cut. Engines with libraries that open
/// files by path, such as SQLite and LevelDB, cannot run on it; the groups POWER and FAULT of the
/// suite observe their calls instead.
public final class SimulatedFileSystem: LocalFileSystem {
    /// How far a power cut keeps unsynced changes in order.
    public typealias Model = DiskModel

    /// The part of the unsynced changes that a power cut leaves.
    public struct Remainder: Sendable {
        let cut: PowerCut

        /// None of the changes; only what was synced is left.
        public static let nothing = Remainder(cut: .nothing)
        /// All of the changes, as if they had been synced.
        public static let everything = Remainder(cut: .everything)
        /// All names, and no contents.
        public static let names = Remainder(cut: .names)
        /// All contents, and no names.
        public static let contents = Remainder(cut: .contents)

        /// A part that the number selects, with torn pages and lost names.
        public static func sample(_ number: UInt64) -> Remainder { .init(cut: .sample(number)) }
    }

    /// A failure to inject.
    struct Fault {
        var at: Int
        var code: StorageError.Code
        var isForEver: Bool
    }

    /// Work between two operations.
    struct Interlude {
        var before: Int
        var work: @Sendable () -> Void
    }

    struct State {
        var disk: SimulatedDisk
        var lastNumber: UInt64 = 0
        var numbers: [Int: UInt64] = [:]
        var operations = 0
        var fault: Fault?
        var interlude: Interlude?
        /// The locks, by node.
        var locked: Set<Int> = []
    }

    let state: Mutex<State>
    /// What the directories report as `FileDirectory.remoteFileSystem`.
    public let remoteFileSystem: String?

    /// Creates an empty file system with a model of power cuts; by default, a local one.
    public init(_ model: Model, remoteFileSystem: String? = nil) {
        self.remoteFileSystem = remoteFileSystem
        state = Mutex(State(disk: SimulatedDisk(model)))
    }

    private init(_ image: DiskImage, _ model: Model, remoteFileSystem: String?) {
        self.remoteFileSystem = remoteFileSystem
        var last: UInt64 = 0
        let disk = SimulatedDisk(model, image) { _ in
            last += 1
            return last
        }
        var state = State(disk: disk, lastNumber: last)
        for (number, node) in disk.nodes { state.numbers[node] = number }
        self.state = Mutex(state)
    }

    /// The number of operations so far that a file system could fail, including queries.
    public var operations: Int { state.withLock { $0.operations } }

    /// The number of operations so far that changed or synced something. A call that fails after as many of
    /// them as another time leaves the same files.
    package var changes: Int { state.withLock { $0.disk.actionCount } }

    /// Makes an operation fail, once or from then on, by its number from now on, starting at 1.
    ///
    /// - Parameter number: the number of the operation.
    /// - Parameter isForEver: whether all later ones fail, too.
    /// - Parameter code: the code of the error: `outOfSpace`, `permissionDenied`, `failed`.
    public func fail(
        _ number: Int, with code: StorageError.Code = .failed, forEver isForEver: Bool = false
    ) {
        state.withLock {
            $0.fault = Fault(at: $0.operations + number, code: code, isForEver: isForEver)
        }
    }

    /// Stops all failures.
    public func heal() { state.withLock { $0.fault = nil } }

    /// Runs work once, before the operation with this number from now on, starting at 1: above all,
    /// what another opener does meanwhile. The operations of the work do not count.
    public func run(before number: Int, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.interlude = Interlude(before: $0.operations + number, work: work) }
    }

    private func runInterlude() {
        let due = state.withLock { state -> (work: @Sendable () -> Void, operations: Int)? in
            guard let interlude = state.interlude, state.operations + 1 >= interlude.before else {
                return nil
            }
            state.interlude = nil
            return (interlude.work, state.operations)
        }
        guard let due else { return }
        due.work()
        state.withLock { $0.operations = due.operations }
    }

    /// Returns another file system with what a power cut at this moment would leave of this one.
    public func afterPowerCut(keeping remainder: Remainder) -> SimulatedFileSystem {
        let disk = state.withLock { $0.disk }
        return Self(
            disk.image(after: remainder.cut), disk.model, remoteFileSystem: remoteFileSystem)
    }

    /// Returns another file system with what the next process would find after a kill at this
    /// moment. It no longer knows what was synced.
    public func afterKill() -> SimulatedFileSystem {
        let disk = state.withLock { $0.disk }
        return Self(disk.image(after: .kill), disk.model, remoteFileSystem: remoteFileSystem)
    }
}

// MARK: - LocalFileSystem

extension SimulatedFileSystem {
    public func status(of path: String) throws(StorageError) -> FileStatus? {
        try perform("examine", path) { $0.status(at: Self.relative(path)) }
    }

    public func directory(at path: String) throws(StorageError) -> any FileDirectory {
        let node = try perform("open", path) { $0.directory(at: Self.relative(path)) }
        guard let node else { throw Self.absent("open", path) }
        return SimulatedDirectory(self, node, path)
    }

    public func makeDirectories(_ path: String) throws(StorageError) {
        var made = ""
        for part in Self.relative(path).split(separator: "/") {
            made += made.isEmpty ? String(part) : "/\(part)"
            let next = made
            try perform("make directory", path) { state in
                guard state.disk.names.node(at: next) == nil else { return }
                state.makeDirectory(next)
            }
        }
        try perform("sync", path) { $0.disk.apply(.syncAll) }
    }

    public func requireAccess(to path: String) {}

    public var user: UInt32 { 1000 }
}

extension SimulatedFileSystem {
    /// Performs one operation unless it is to fail.
    func perform<Success>(
        _ operation: String, _ path: String, _ work: (inout State) -> Success
    ) throws(StorageError) -> Success {
        runInterlude()
        let result = state.withLock { state -> Result<Success, StorageError> in
            state.operations += 1
            if let fault = state.fault,
                fault.isForEver ? state.operations >= fault.at : state.operations == fault.at
            {
                let message = "cannot \(operation) '\(path)': simulated failure"
                return .failure(StorageError(fault.code, message, operation: operation))
            }
            return .success(work(&state))
        }
        return try result.get()
    }

    static func absent(_ operation: String, _ path: String) -> StorageError {
        StorageError(
            .notFound, "cannot \(operation) '\(path)': No such file or directory",
            operation: operation)
    }

    private static func relative(_ path: String) -> String {
        PathText.names(of: own(path)).joined(separator: "/")
    }

    /// Returns a name or path as directories list it: one text for each sequence of bytes.
    static func own(_ text: String) -> String { PathText.text(PathText.bytes(text)) }
}

extension SimulatedFileSystem.State {
    func status(at path: String) -> FileStatus? {
        disk.names.node(at: path).map { status(of: $0) }
    }

    func status(of node: Int) -> FileStatus {
        let file = disk.files[node]
        return FileStatus(
            kind: file == nil ? .directory : .file, size: file?.cached.count ?? 0, owner: 1000,
            permissions: file == nil ? 0o700 : 0o600, modified: 0)
    }

    func directory(at path: String) -> Int? {
        disk.names.node(at: path).flatMap { disk.names.entries[$0] == nil ? nil : $0 }
    }

    /// Returns the number by which an action names a node.
    mutating func newNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func makeDirectory(_ path: String) {
        let number = newNumber()
        disk.apply(.makeDirectory(path: path, node: number))
        if let node = disk.nodes[number] { numbers[node] = number }
    }

    mutating func makeFile(_ path: String) -> Int? {
        let number = newNumber()
        disk.apply(.create(path: path, node: number))
        guard let node = disk.nodes[number] else { return nil }
        numbers[node] = number
        return node
    }

    /// Returns the current path of a node; `nil` if it has no name any more.
    func path(of node: Int) -> String? { disk.names.path(of: node) }
}
