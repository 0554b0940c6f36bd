import BrowserSessions
import StorageEngines

/// A JSON file for each window, which has all its content and is rewritten at each save, as in desktop
/// Firefox and many small browsers.
struct WholeWindowJSON: BookedDesign {
    var book = SessionBook()
    private let folder: String
    private static let ending = ".json"

    init(_ folder: String) throws(StorageError) {
        self.folder = folder
        for id in try WholeFile.sessions(in: folder, ending: Self.ending) {
            let file = try SessionFile(json: try FileSystem.read(path(of: id)))
            book.load(try file.session(id))
            for tab in file.tabs {
                for (key, state) in try tab.blobs(partition: id.partition) {
                    book.load(state, for: key)
                }
            }
        }
    }

    private func path(of id: SessionID) -> String {
        "\(folder)/\(WholeFile.name(of: id))\(Self.ending)"
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
            try WholeFile.write(bytes, to: path(of: id), isSynced: isSynced)
        }
    }

    mutating func restore(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        guard try FileSystem.exists(path(of: id)) else { return nil }
        return try SessionFile(json: try FileSystem.read(path(of: id))).session(id)
    }
}
