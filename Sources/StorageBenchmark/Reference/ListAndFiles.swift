import BrowserSessions
import StorageEngines

/// A list file for each window, which has the metadata of all tabs and is rewritten at each save, and a
/// synced file for each tab's state, as in the iOS versions of Chrome and Firefox.
struct ListAndFiles: BookedDesign {
    var book = SessionBook()
    private let files: WholeFiles

    init(_ folder: String) throws(StorageError) {
        files = WholeFiles(folder: folder, ending: ".list")
        for id in try files.sessions() {
            if let session = try restore(id) { book.load(session) }
        }
    }

    private func path(of key: TabStateKey) -> String {
        "\(files.folder)/\(key.tab)_\(key.name.rawValue).state"
    }

    /// Writes the files. State comes first, so that the list never names missing state.
    func write(_ touched: SessionBook.Touched, isSynced: Bool) throws(StorageError) {
        for key in touched.states {
            if let bytes = book.states[key] {
                try WholeFiles.write(bytes, to: path(of: key), isSynced: isSynced)
            } else {
                try FileSystem.remove(path(of: key))
            }
        }
        for id in touched.sessions.sorted() {
            try WholeFiles.write(
                book.sessions[id].map(Self.encode), to: files.path(of: id), isSynced: isSynced)
        }
    }

    func state(of key: TabStateKey) throws(StorageError) -> [UInt8]? {
        do throws(StorageError) {
            return try FileSystem.read(path(of: key))
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    // MARK: - The list: attributes, and then each group and each tab behind its identifier

    private static func encode(_ entry: SessionBook.Entry) -> [UInt8] {
        var writer = WireWriter()
        writer.bytes.reserveCapacity(entry.tabs.count * 256 + 512)
        writer.bytes(1, entry.attributes.encodedPayload())
        for node in entry.sortedNodes {
            writer.identifier(2, node.id)
            writer.bytes(3, node.encodedPayload())
        }
        for tab in entry.orderedTabs {
            writer.identifier(2, tab.id)
            writer.bytes(4, tab.encoded())
        }
        return writer.bytes
    }

    mutating func restore(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        guard try FileSystem.exists(files.path(of: id)) else { return nil }
        var session = RestoredSession(id: id, attributes: SessionAttributes(), tabs: [], nodes: [])
        var item = NodeID(high: 0, low: 0)
        try FileSystem.read(files.path(of: id)).readFields { number, reader in
            switch number {
            case 1: session.attributes = try SessionAttributes(payload: reader.span())
            case 2: item = try reader.identifier()
            case 3: session.nodes.append(try StructureNode(id: item, payload: reader.span()))
            default: session.tabs.append(try TabMetadata(id: TabID(item), payload: reader.span()))
            }
        }
        return session
    }
}
