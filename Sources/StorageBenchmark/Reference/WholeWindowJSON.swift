import BrowserSessions
import LocalFiles

/// A layout with a JSON file for each window, which has all its content and is rewritten at each
/// save, as in desktop Firefox and many small browsers.
enum WholeWindowJSON: ReferenceLayout {
    static let name = "whole-window-json"
    private static let ending = ".json"

    static func load(from folder: String, into book: inout SessionBook) throws(StorageError) {
        for name in try FileSystem.contents(of: folder) {
            guard let id = WholeFile.session(of: name, ending: ending) else { continue }
            let file = try read("\(folder)/\(name)")
            book.load(try file.session(id))
            for tab in file.tabs {
                for (key, data) in try tab.blobs(partition: id.partition) {
                    book.load(data, for: key)
                }
            }
        }
    }

    static func write(
        _ touched: SessionBook.Touched, of book: SessionBook, to folder: String, isSynced: Bool
    ) throws(StorageError) {
        var sessions = touched.sessions
        let tabs = Set(touched.states.map(\.tab))
        if !tabs.isEmpty {
            for (id, entry) in book.sessions where !tabs.isDisjoint(with: entry.tabs.keys) {
                sessions.insert(id)
            }
        }
        for id in sessions.sorted() {
            let path = "\(folder)/\(WholeFile.name(of: id))\(ending)"
            guard let entry = book.sessions[id] else {
                try WholeFile.remove(path, isSynced: isSynced)
                continue
            }
            let bytes = try SessionFile(entry, partition: id.partition, states: book.states).json()
            try WholeFile.write(bytes, to: path, isSynced: isSynced)
        }
    }

    static func restore(_ id: SessionID, from folder: String, _ book: inout SessionBook)
        throws(StorageError) -> RestoredSession?
    {
        let path = "\(folder)/\(WholeFile.name(of: id))\(ending)"
        guard try FileSystem.exists(path) else { return nil }
        let file = try read(path)
        return try file.session(id)
    }

    static func state(of key: TabStateKey, from folder: String, _ book: SessionBook)
        throws(StorageError) -> [UInt8]?
    {
        // A browser of this kind holds the state of every tab in memory.
        book.states[key]
    }

    private static func read(_ path: String) throws(StorageError) -> SessionFile {
        try SessionFile(json: try FileSystem.read(path))
    }
}

extension Contestant {
    static let wholeWindowJSON = Contestant(
        name: ContestantName(WholeWindowJSON.name), role: .reference,
        summary: "Reference: a JSON file for each window, rewritten whole at each save."
    ) { location throws(StorageError) in try ReferenceStorage<WholeWindowJSON>(location) }

    static let listAndFiles = Contestant(
        name: ContestantName(ListAndFiles.name), role: .reference,
        summary: "Reference: a list file rewritten whole, and a file for the state of each tab."
    ) { location throws(StorageError) in try ReferenceStorage<ListAndFiles>(location) }

    /// A contestant with one store for all openings in the process, so that the content survives closing.
    static var dry: Contestant {
        let store = ReferenceStorage<NoFiles>()
        return Contestant(
            name: ContestantName(NoFiles.name), role: .dry,
            summary: "Keeps everything in memory: what measuring itself costs."
        ) { _ in store }
    }
}
