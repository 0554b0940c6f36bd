import BrowserSessions
import Foundation
import StorageEngines
import Synchronization

/// How another browser stores its sessions. ``PeerStorage`` makes a store of it.
protocol PeerDesign {
    func sessions() throws(StorageError) -> [SessionID]

    /// Returns a session; `nil` if there is none.
    mutating func restore(_ id: SessionID) throws(StorageError) -> RestoredSession?

    /// Returns a state; `nil` if there is none.
    func state(of key: TabStateKey) throws(StorageError) -> [UInt8]?

    mutating func save(_ changes: SessionChanges, isSynced: Bool) throws(StorageError)

    mutating func deleteIncognito() throws(StorageError)

    /// Releases the files, so that they can be opened again.
    mutating func close()
}

/// A rebuilt design of another browser, for comparison only. It claims that saves survive everything, so that
/// every workload runs on it. It supports the calls of the workloads and throws
/// ``StorageError/Code/unsupported`` for others. It works on the caller's thread, as backends do when
/// they are measured.
final class PeerStorage: SessionStorage {
    private struct State {
        var design: any PeerDesign
        var sequence: UInt64 = 0
    }

    let traits: StorageTraits
    private let state: Mutex<State>

    init(_ name: String, _ design: sending any PeerDesign) {
        traits = StorageTraits(
            backend: name, durability: [.processCrash, .powerLoss], incognitoErasure: .removed,
            keepsRestorePoints: false)
        state = Mutex(State(design: design))
    }

    func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        try state.withLock { state throws(StorageError) in try state.design.sessions() }
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        guard version == .current else { throw Self.notOfBench }
        return try state.withLock { state throws(StorageError) in
            var found: [RestoredSession] = []
            for id in ids {
                if let session = try state.design.restore(id) { found.append(session) }
            }
            return found
        }
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        try state.withLock { state throws(StorageError) in
            var result: [TabStateKey: [UInt8]] = [:]
            for key in keys { result[key] = try state.design.state(of: key) }
            return result
        }
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        try state.withLock { state throws(StorageError) in
            try state.design.save(changes, isSynced: durability == .powerLoss)
            state.sequence += 1
            return SaveReceipt(sequence: state.sequence, durability: durability)
        }
    }

    func deleteIncognito() async throws(StorageError) {
        try state.withLock { state throws(StorageError) in try state.design.deleteIncognito() }
    }

    func close() async throws(StorageError) { state.withLock { $0.design.close() } }

    // MARK: - Calls that no workload makes

    private static let notOfBench = StorageError(
        .unsupported, "this design is for measuring only, and the call is not part of it")

    func stateKeys(in session: SessionID, at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey]
    { throw Self.notOfBench }

    func check(_ mode: CheckMode) async throws(StorageError) -> RecoveryReport {
        throw Self.notOfBench
    }
}

extension Contestant {
    static let wholeWindowJSON = Contestant(
        name: ContestantName("whole-window-json"), role: .reference,
        summary: "Reference: a JSON file for each window, rewritten whole at each save."
    ) { location throws(StorageError) in
        PeerStorage("whole-window-json", try WholeWindowJSON(location))
    }

    static let listAndFiles = Contestant(
        name: ContestantName("list-and-files"), role: .reference,
        summary: "Reference: a list file rewritten whole, and a file for the state of each tab."
    ) { location throws(StorageError) in
        PeerStorage("list-and-files", try ListAndFiles(location))
    }

    static let tabDB = Contestant(
        name: ContestantName("tab-db"), role: .reference,
        summary: "Reference: an SQLite row for each node, with the list of its children."
    ) { location throws(StorageError) in PeerStorage("tab-db", try TabDB(location)) }

    /// A contestant with one store for all openings in the process, so that the content survives closing.
    static var dry: Contestant {
        let store = PeerStorage("dry", Dry())
        return Contestant(
            name: ContestantName("dry"), role: .dry,
            summary: "Keeps everything in memory: what measuring itself costs."
        ) { _ in store }
    }
}

// MARK: - Designs that hold everything in memory

/// A design that holds all sessions in memory and writes what a save touched.
protocol BookedDesign: PeerDesign {
    var book: SessionBook { get set }

    /// Updates the files from the book.
    func write(_ touched: SessionBook.Touched, isSynced: Bool) throws(StorageError)
}

extension BookedDesign {
    func sessions() -> [SessionID] { book.sessions.keys.sorted() }

    mutating func restore(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        book.restore(id)
    }

    func state(of key: TabStateKey) throws(StorageError) -> [UInt8]? { book.states[key] }

    mutating func save(_ changes: SessionChanges, isSynced: Bool) throws(StorageError) {
        let touched = book.apply(changes)
        try write(touched, isSynced: isSynced)
    }

    mutating func deleteIncognito() throws(StorageError) {
        let touched = book.removeIncognito()
        try write(touched, isSynced: true)
    }

    func close() {}
}

/// A design without files, which shows the cost of measuring itself.
struct Dry: BookedDesign {
    var book = SessionBook()

    func write(_ touched: SessionBook.Touched, isSynced: Bool) {}
}

/// The files of sessions in a folder, which are replaced as a whole.
struct WholeFiles {
    let folder: String
    /// The extension of the files.
    let ending: String

    func path(of id: SessionID) -> String {
        "\(folder)/\(id.window)_\(id.kind.rawValue)\(ending)"
    }

    /// Writes under a temporary name and renames the file. Syncs the file and its folder if the
    /// content must survive a power cut. Without content, removes the file.
    static func write(_ bytes: [UInt8]?, to path: String, isSynced: Bool) throws(StorageError) {
        guard let bytes else {
            try FileSystem.remove(path)
            if isSynced { try FileSystem.syncDirectory(FileSystem.parent(of: path)) }
            return
        }
        if isSynced { return try FileSystem.replace(path, with: bytes) }
        let temporary = path + ".new"
        let file = try PosixFile(opening: temporary, flags: O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(bytes)
        try FileSystem.move(temporary, to: path)
    }

    /// Returns the sessions with files in the folder, which is made if it is not there.
    func sessions() throws(StorageError) -> [SessionID] {
        try FileSystem.makeDirectories(folder)
        return try FileSystem.contents(of: folder).filter { $0.hasSuffix(ending) }.compactMap {
            SessionID($0.dropLast(ending.count).split(separator: "_").joined(separator: "/"))
        }
    }
}
