import BrowserSessions
import StorageEngines

/// A list file for each window, which has the metadata of all tabs and is rewritten at each save, and a
/// synced file for each tab's state, as in the iOS versions of Chrome and Firefox.
struct ListAndFiles: BookedDesign {
    var book = SessionBook()
    private let folder: String
    private static let ending = ".list"

    init(_ folder: String) throws(StorageError) {
        self.folder = folder
        for id in try WholeFile.sessions(in: folder, ending: Self.ending) {
            if let session = try restore(id) { book.load(session) }
        }
    }

    private func path(of id: SessionID) -> String {
        "\(folder)/\(WholeFile.name(of: id))\(Self.ending)"
    }

    private func path(of key: TabStateKey) -> String {
        "\(folder)/\(key.tab)_\(key.name.rawValue).state"
    }

    /// Writes the files. State comes first, so that the list never names missing state.
    func write(_ touched: SessionBook.Touched, isSynced: Bool) throws(StorageError) {
        for key in touched.states {
            if let bytes = book.states[key] {
                try WholeFile.write(bytes, to: path(of: key), isSynced: isSynced)
            } else {
                try FileSystem.remove(path(of: key))
            }
        }
        for id in touched.sessions.sorted() {
            try WholeFile.write(
                book.sessions[id].map(Self.encode), to: path(of: id), isSynced: isSynced)
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

    // MARK: - The list: attributes, the number of groups, and then each group and each tab behind its identifier

    private static func encode(_ entry: SessionBook.Entry) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.tabs.count * 256 + 512)
        bytes.append(part: entry.attributes.encodedPayload())
        bytes.append(part: Array("\(entry.nodes.count)".utf8))
        for node in entry.sortedNodes {
            bytes.append(part: node.id.bytes)
            bytes.append(part: node.encodedPayload())
        }
        for tab in entry.orderedTabs {
            bytes.append(part: tab.id.bytes)
            bytes.append(part: tab.encoded())
        }
        return bytes
    }

    mutating func restore(_ id: SessionID) throws(StorageError) -> RestoredSession? {
        guard try FileSystem.exists(path(of: id)) else { return nil }
        return try FileSystem.read(path(of: id)).reading { reader throws(StorageError) in
            var session = RestoredSession(
                id: id, attributes: try reader.record(), tabs: [], nodes: [])
            let count = Int(String(decoding: try reader.next(), as: UTF8.self)) ?? 0
            while session.nodes.count < count {
                let node = NodeID(bytes: try reader.next())
                var group: StructureNode = try reader.record()
                group.id = node ?? group.id
                session.nodes.append(group)
            }
            while !reader.isAtEnd {
                guard let found = TabID(bytes: try reader.next()) else { throw PartReader.damaged }
                var tab: TabMetadata = try reader.record()
                tab.id = found
                session.tabs.append(tab)
            }
            return session
        }
    }
}
