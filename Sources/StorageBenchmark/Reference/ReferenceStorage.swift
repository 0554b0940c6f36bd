import BrowserSessions
import LocalFiles
import StorageEngines
import Synchronization

/// The file layout of a reference design. ``ReferenceStorage`` does the rest.
protocol ReferenceLayout: Sendable {
    static var name: String { get }

    /// Fills the book from the files of a folder.
    static func load(from folder: String, into book: inout SessionBook) throws(StorageError)

    /// Updates the files from the book.
    static func write(
        _ touched: SessionBook.Touched, of book: SessionBook, to folder: String,
        isSynced: Bool
    ) throws(StorageError)

    /// Reads a session from its file; `nil` if there is none.
    static func restore(_ id: SessionID, from folder: String, _ book: inout SessionBook)
        throws(StorageError) -> RestoredSession?

    static func state(of key: TabStateKey, from folder: String, _ book: SessionBook)
        throws(StorageError) -> [UInt8]?
}

/// A store of the benchmark's own, without the calls that no workload makes.
protocol ReferenceDesign: SessionStorage {}

extension ReferenceDesign {
    func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey]
    {
        throw .notOfBench("listing state")
    }

    func check() async throws(StorageError) -> RecoveryReport { throw .notOfBench("checking") }

    func repair() async throws(StorageError) -> RecoveryReport { throw .notOfBench("repairing") }
}

/// A layout without files, which shows the cost of measuring itself.
enum NoFiles: ReferenceLayout {
    static let name = "dry"

    static func load(from folder: String, into book: inout SessionBook) {}

    static func write(
        _ touched: SessionBook.Touched, of book: SessionBook, to folder: String, isSynced: Bool
    ) {}

    static func restore(_ id: SessionID, from folder: String, _ book: inout SessionBook)
        -> RestoredSession?
    { book.restore(id) }

    static func state(of key: TabStateKey, from folder: String, _ book: SessionBook) -> [UInt8]? {
        book.states[key]
    }
}

/// A rebuilt design of another browser, over its file layout or without files, for comparison only. It claims that
/// saves survive everything, so that every workload runs on it. It supports the calls of the
/// workloads and throws ``StorageError/Code/unsupported`` for others. It works on the
/// caller's thread, as backends do when they are measured.
final class ReferenceStorage<Layout: ReferenceLayout>: ReferenceDesign {
    private let folder: String
    private let book: Mutex<SessionBook>

    let traits = StorageTraits(
        backend: Layout.name, durability: [.processCrash, .powerLoss], incognitoErasure: .removed,
        keepsRestorePoints: false)

    init(_ folder: String) throws(StorageError) {
        self.folder = folder
        try FileSystem.makeDirectories(folder)
        var book = SessionBook()
        try Layout.load(from: folder, into: &book)
        self.book = Mutex(book)
    }

    init() where Layout == NoFiles {
        folder = ""
        book = Mutex(SessionBook())
    }

    func sessions() async throws(StorageError) -> [SessionID] {
        book.withLock { $0.sessions.keys.sorted() }
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        guard version == .current else { throw .notOfBench("a restore point") }
        return try book.withLock { (book: inout SessionBook) throws(StorageError) in
            var found: [RestoredSession] = []
            for id in ids {
                if let session = try Layout.restore(id, from: folder, &book) {
                    found.append(session)
                }
            }
            return found
        }
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try book.withLock { (book: inout SessionBook) throws(StorageError) in
            var result: [TabStateKey: [UInt8]] = [:]
            for key in keys { result[key] = try Layout.state(of: key, from: folder, book) }
            return result
        }
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try book.withLock { (book: inout SessionBook) throws(StorageError) in
            let touched = book.apply(changes)
            try Layout.write(touched, of: book, to: folder, isSynced: durability == .powerLoss)
            return SaveReceipt(sequence: book.sequence, durability: durability)
        }
    }

    func deleteIncognito() async throws(StorageError) {
        try book.withLock { (book: inout SessionBook) throws(StorageError) in
            let touched = book.removeIncognito()
            try Layout.write(touched, of: book, to: folder, isSynced: true)
        }
    }

    func close() async throws(StorageError) {}
}

extension StorageError {
    static func notOfBench(_ what: String) -> StorageError {
        StorageError(.unsupported, "this design is for measuring only; \(what) is not part of it")
    }
}

/// A namespace for files that are replaced as a whole.
enum WholeFile {
    /// Writes under a temporary name and renames the file. Syncs the file and its folder if the
    /// content must survive a power cut.
    static func write(_ bytes: [UInt8], to path: String, isSynced: Bool) throws(StorageError) {
        if isSynced { return try FileSystem.replace(path, with: bytes) }
        let temporary = path + ".new"
        try writeAll(bytes, temporary)
        try FileSystem.move(temporary, to: path)
    }

    private static func writeAll(_ bytes: [UInt8], _ path: String) throws(StorageError) {
        let file = try PosixFile(opening: path, flags: Open.replacing)
        try file.write(bytes)
    }

    static func remove(_ path: String, isSynced: Bool) throws(StorageError) {
        try FileSystem.remove(path)
        if isSynced { try FileSystem.syncDirectory(FileSystem.parent(of: path)) }
    }

    /// Returns the name of a session's file without its extension.
    static func name(of id: SessionID) -> String { "\(id.window)_\(id.kind.rawValue)" }

    /// Returns the session of a file; `nil` if the name does not match or has another extension.
    static func session(of name: String, ending: String) -> SessionID? {
        guard name.hasSuffix(ending) else { return nil }
        let stem = name.dropLast(ending.count)
        return SessionID(stem.split(separator: "_").joined(separator: "/"))
    }
}
