import BackendSelection
import BrowserSessions

#if PostgreSQL
    import Synchronization

    /// A client with the cost of a server and libpq without any store, for comparison only. It
    /// writes the rows of a change in one pipelined transaction of prepared statements, and reads
    /// them with one SELECT. It keeps everything else in the process.
    final class BareClient: ReferenceDesign {
        private let connection: BareConnection
        private let profile: [UInt8]
        private let location: String
        private let books: Books

        /// The content of all stores in a process, even when they are closed.
        private final class Books: Sendable {
            let books = Mutex<[String: SessionBook]>([:])
        }

        let traits = StorageTraits(
            backend: BareClient.name, durability: [.processCrash, .powerLoss],
            incognitoErasure: .removed, keepsRestorePoints: false)

        static var backend: StorageBackend {
            let books = Books()
            return StorageBackend(
                name: name, summary: "Reference: a bare client of a PostgreSQL server.",
                locationForm: .address,
                remove: { configuration throws(StorageError) in
                    let location = configuration.location
                    books.books.withLock { $0[location] = nil }
                    let profile = [UInt8](location.utf8)
                    return try connection(for: location)
                        .perform([.empty(profile), .behead(profile)]).count > 0
                }
            ) { configuration throws(StorageError) in
                try BareClient(configuration.location, books)
            }
        }

        private init(_ location: String, _ books: Books) throws(StorageError) {
            (self.location, self.books) = (location, books)
            connection = try Self.connection(for: location)
            profile = [UInt8](location.utf8)
            _ = try connection.perform([.head(profile)])
        }

        private static func connection(for location: String) throws(StorageError)
            -> BareConnection
        {
            let parts = location.split(separator: "/").prefix(2)
            let connection = try BareConnection("postgresql://" + parts.joined(separator: "/"))
            try connection.makeTables()
            return connection
        }

        // MARK: Rows

        private static let foreign = StorageError.notOfBench("a row of another")

        private static func node(_ id: NodeID, in value: UnsafeRawBufferPointer)
            throws(StorageError) -> StructureNode
        {
            do { return try StructureNode(id: id, payload: value) } catch { throw foreign }
        }

        private enum Kind: UInt8 { case regular, incognito, state, other }

        private static func prefix(of session: SessionID) -> [UInt8] {
            let kind = session.partition == .regular ? Kind.regular : .incognito
            return [kind.rawValue] + session.window.bytes + [UInt8](session.kind.rawValue.utf8) + [
                0
            ]
        }

        private static func key(_ session: SessionID, _ tab: TabID) -> [UInt8] {
            prefix(of: session) + tab.bytes
        }

        /// Longer than the key of a tab.
        private static func key(_ session: SessionID, node: NodeID) -> [UInt8] {
            prefix(of: session) + node.bytes + [0]
        }

        private static func key(_ state: TabStateKey) -> [UInt8] {
            [Kind.state.rawValue] + state.tab.bytes + [UInt8](state.name.rawValue.utf8)
        }

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            var sequence: UInt64 = 0
            var rows: [BareStatement] = []
            books.books.withLock { books in
                let old = books[location] ?? SessionBook()
                rows = self.rows(changes, old)
                _ = books[location, default: SessionBook()].apply(changes)
                sequence = books[location]?.sequence ?? 0
            }
            _ = try connection.perform(rows)
            return SaveReceipt(sequence: sequence, durability: durability)
        }

        private func rows(_ changes: SessionChanges, _ old: SessionBook) -> [BareStatement] {
            // Every store writes these: the head, and a record in addition to those of the change.
            let manifest = [UInt8](repeating: 7, count: 60)
            var rows: [BareStatement] = [
                .head(profile), .put(profile, [Kind.other.rawValue], manifest),
            ]
            for change in changes.changes {
                switch change {
                case .putSession(let id, let attributes):
                    rows.append(.put(profile, Self.prefix(of: id), [UInt8](attributes.title.utf8)))
                case .removeSession(let id):
                    for tab in old.sessions[id]?.sortedTabs ?? [] {
                        rows.append(.remove(profile, Self.key(id, tab.id)))
                    }
                    for node in old.sessions[id]?.sortedNodes ?? [] {
                        rows.append(.remove(profile, Self.key(id, node: node.id)))
                    }
                    rows.append(.remove(profile, Self.prefix(of: id)))
                case .putTab(let tab, let id):
                    rows.append(.put(profile, Self.key(id, tab.id), tab.encoded()))
                case .removeTab(let tab, let id):
                    guard old.sessions[id]?.tabs[tab] != nil else { continue }
                    rows.append(.remove(profile, Self.key(id, tab)))
                case .putState(let bytes, let key): rows.append(.put(profile, Self.key(key), bytes))
                case .removeState(let key): rows.append(.remove(profile, Self.key(key)))
                case .putNode(let node, let id):
                    rows.append(.put(profile, Self.key(id, node: node.id), node.encoded()))
                case .removeNode(let node, let id):
                    guard old.sessions[id]?.nodes[node] != nil else { continue }
                    rows.append(.remove(profile, Self.key(id, node: node)))
                }
            }
            return rows
        }

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            var found: [RestoredSession] = []
            for id in ids {
                let known = books.books.withLock { $0[location]?.sessions[id]?.attributes }
                guard let attributes = known else { continue }
                let prefix = Self.prefix(of: id)
                var session = RestoredSession(id: id, attributes: attributes, tabs: [])
                let rows = try connection.perform([.records(profile, prefix)])
                session.tabs.reserveCapacity(rows.count)
                // The first row is the session's own row.
                for row in 1..<max(1, rows.count) {
                    let rest = (rows.bytes(row, 0) ?? .init(start: nil, count: 0)).dropFirst(
                        prefix.count)
                    guard let value = rows.bytes(row, 1) else { throw Self.foreign }
                    if let tab = TabID(bytes: rest) {
                        session.tabs.append(try TabMetadata(id: tab, encoded: value))
                    } else if let node = NodeID(bytes: rest.dropLast()) {
                        session.nodes.append(try Self.node(node, in: value))
                    } else {
                        throw Self.foreign
                    }
                }
                session.repairForest()
                found.append(session)
            }
            return found
        }

        func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey: [UInt8]]
        {
            var found: [TabStateKey: [UInt8]] = [:]
            for key in keys {
                let rows = try connection.perform([.value(profile, Self.key(key))])
                found[key] = rows.bytes(0, 0).map { [UInt8]($0) }
            }
            return found
        }

        // MARK: Other calls

        func sessions() async throws(StorageError) -> [SessionID] {
            books.books.withLock { ($0[location]?.sessions.keys).map(Array.init) ?? [] }.sorted()
        }

        func deleteIncognito() async throws(StorageError) {
            _ = books.books.withLock { $0[location]?.removeIncognito() }
            _ = try connection.perform([.clear(profile, [Kind.incognito.rawValue])])
        }

        func close() async throws(StorageError) {}
    }
#endif

/// A namespace that adds clients to a registry, for comparison with backends of other machines.
enum BareClients {
    static let name = "libpq"

    static func added(to registry: BackendRegistry) throws(StorageError) -> BackendRegistry {
        #if PostgreSQL
            let known = registry.names.compactMap { registry[$0] }
            return try BackendRegistry(known + [BareClient.backend])
        #else
            return registry
        #endif
    }
}

#if PostgreSQL
    extension BareClient {
        static let name = BareClients.name
    }
#endif
