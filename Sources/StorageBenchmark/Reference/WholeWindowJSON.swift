import BrowserSessions
import StorageEngines

/// A JSON file for each window, which has all its content and is rewritten at each save, as in desktop
/// Firefox and many small browsers.
struct WholeWindowJSON: BookedDesign {
    var book = SessionBook()
    private let files: WholeFiles

    init(_ folder: String) throws(StorageError) {
        files = WholeFiles(folder: folder, ending: ".json")
        for id in try files.sessions() {
            let file = try SessionFile(json: try FileSystem.read(files.path(of: id)))
            book.load(try file.session(id))
            for tab in file.tabs {
                for (key, state) in try tab.blobs(partition: id.partition) {
                    book.load(state, for: key)
                }
            }
        }
    }

    func write(_ touched: SessionBook.Touched, isSynced: Bool) throws(StorageError) {
        var sessions = touched.sessions
        let tabs = Set(touched.states.map(\.tab))
        if !tabs.isEmpty {
            for (id, entry) in book.sessions where !tabs.isDisjoint(with: entry.tabs.keys) {
                sessions.insert(id)
            }
        }
        for id in sessions.sorted() {
            let bytes = try SessionFile(id, of: book)?.json()
            try WholeFiles.write(bytes, to: files.path(of: id), isSynced: isSynced)
        }
    }

    mutating func restore(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        guard try FileSystem.exists(files.path(of: id)) else { return nil }
        return try SessionFile(json: try FileSystem.read(files.path(of: id))).session(id)
    }
}
