import BrowserSessions
import LocalFiles

/// A layout with a list file for each window, which has the metadata of all tabs and is rewritten at each
/// save, and a synced file for each tab's state, as in the iOS versions of Chrome and Firefox.
enum ListAndFiles: ReferenceLayout {
    static let name = "list-and-files"
    private static let ending = ".list"

    static func load(from folder: String, into book: inout SessionBook) throws(StorageError) {
        for name in try FileSystem.contents(of: folder) {
            guard let id = WholeFile.session(of: name, ending: ending) else { continue }
            guard let session = try read(id, from: folder) else { continue }
            book.load(session)
        }
    }

    /// Writes the files. State comes first, so that the list never names missing state.
    static func write(
        _ touched: SessionBook.Touched, of book: SessionBook, to folder: String, isSynced: Bool
    ) throws(StorageError) {
        for key in touched.states {
            let path = "\(folder)/\(file(of: key))"
            if let bytes = book.states[key] {
                try WholeFile.write(bytes, to: path, isSynced: isSynced)
            } else {
                try FileSystem.remove(path)
            }
        }
        for id in touched.sessions.sorted() {
            let path = "\(folder)/\(WholeFile.name(of: id))\(ending)"
            guard let entry = book.sessions[id] else {
                try WholeFile.remove(path, isSynced: isSynced)
                continue
            }
            try WholeFile.write(try encode(entry), to: path, isSynced: isSynced)
        }
    }

    static func restore(_ id: SessionID, from folder: String, _ book: inout SessionBook)
        throws(StorageError) -> RestoredSession?
    { try read(id, from: folder) }

    private static func read(_ id: SessionID, from folder: String) throws(StorageError)
        -> RestoredSession?
    {
        let path = "\(folder)/\(WholeFile.name(of: id))\(ending)"
        guard try FileSystem.exists(path) else { return nil }
        return try decode(try FileSystem.read(path), id)
    }

    static func state(of key: TabStateKey, from folder: String, _ book: SessionBook)
        throws(StorageError) -> [UInt8]?
    {
        let path = "\(folder)/\(file(of: key))"
        do throws(StorageError) {
            return try FileSystem.read(path)
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    private static func file(of key: TabStateKey) -> String {
        "\(key.tab)_\(key.name.rawValue).state"
    }

    // MARK: - The list: attributes as JSON, then a length and the record of each tab

    private static func encode(_ entry: SessionBook.Entry) throws(StorageError) -> [UInt8] {
        let head = SessionBook.Entry(attributes: entry.attributes, nodes: entry.nodes)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.tabs.count * 256 + 512)
        bytes.append(part: try SessionFile(head, partition: .regular, states: [:]).json())
        for tab in entry.orderedTabs {
            bytes.append(part: tab.id.bytes)
            bytes.append(part: tab.encoded())
        }
        return bytes
    }

    private static func decode(_ bytes: [UInt8], _ id: SessionID) throws(StorageError)
        -> RestoredSession
    {
        try bytes.reading { reader throws(StorageError) in
            let head = try SessionFile(json: [UInt8](try reader.next()))
            var tabs: [TabMetadata] = []
            while !reader.isAtEnd {
                guard let tab = TabID(bytes: try reader.next()) else { throw PartReader.damaged }
                tabs.append(try TabMetadata(id: tab, encoded: try reader.next()))
            }
            return RestoredSession(
                id: id, attributes: head.attributes, tabs: tabs, nodes: head.nodes)
        }
    }
}
