#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines
    import Synchronization

    /// Keeps records in tables of a PostgreSQL server; see ``PostgreSQLSchema``.
    struct PostgreSQLEngine: ConnectedEngine {
        static let backendName = "postgresql"

        let name = PostgreSQLEngine.backendName
        let formatVersion = 1
        let abilities: EngineAbilities
        var executor: StoreExecutor { server.executor }
        private let profile: String
        private let server: PostgreSQLServer
        /// What is known of the profile, across the connections of one opening.
        private let head = PostgreSQLHead()

        init(_ address: PostgreSQLAddress, _ durability: Durability, _ server: PostgreSQLServer) {
            profile = address.profile
            self.server = server
            // A message to a server has less than a gigabyte.
            abilities = EngineAbilities(
                durability: durability,
                limits: EngineLimits(
                    valueBytes: 256 << 20, batchBytes: 384 << 20, batchOperations: 1 << 22),
                findsDamage: true)
        }

        func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
            let line = PostgreSQLLine()
            server.begin(request.owner)
            let patience = request.environment.patience
            let token = CommitID.random().bytes
            do {
                try server.use(line, patience: patience, isWatched: false) { connection in
                    let here = try server.present(over: connection)
                    try PostgreSQLSchema.require(here.format)
                    let end = here.now + patience.milliseconds
                    if request.attempt == 0 {
                        try take(request, token, over: connection, until: end)
                    } else {
                        try takeAgain(request, token, over: connection)
                    }
                }
            } catch let error as StorageError where error.code == .locked {
                // The server has answered: nothing of this opening is there or on its way.
                server.end(request.owner, isTold: true, patience: patience)
                throw error
            }
            return PostgreSQLStore(
                of: profile, at: server, over: line, request, token: token, head: head)
        }

        func view(_ request: ConnectionRequest) throws -> (any EngineView)? {
            try PostgreSQLView(of: profile, at: server, within: request.environment.patience)
        }

        func giveUp(_ request: ConnectionRequest) {
            server.end(request.owner, isTold: false, patience: request.environment.patience)
        }

        /// - Parameter end: the server's time from which on nobody waits for it any more.
        private func take(
            _ request: ConnectionRequest, _ token: [UInt8], over connection: PostgreSQLConnection,
            until end: Int64
        ) throws {
            var dead: [[UInt8]] = []
            // waits: for no more turns than owners are found dead, or let go meanwhile
            while true {
                let rows = try connection.run(
                    .take,
                    [
                        PostgreSQLValue.text(profile), server.owner, request.owner.bytes,
                        PostgreSQLValue.uuids(dead), PostgreSQLValue.uuids(server.givenUp),
                        PostgreSQLValue.number(end), token,
                    ])
                if rows.count == 1 {
                    // Whoever ended without leaving is seen off by the last to take something from it.
                    for owner in dead { _ = try? connection.run(.leave, [owner]) }
                    return head.begin(at: rows.number(0, 0) ?? 0, rows.blob(0, 1))
                }
                let holder = try connection.run(.holder, [PostgreSQLValue.text(profile)])
                guard holder.count == 1 else { continue }
                let owner = holder.blob(0, 0)
                let process = PostgreSQLProcess(
                    host: holder.text(0, 1) ?? "?", machine: holder.text(0, 2) ?? "",
                    number: holder.number(0, 3) ?? 0, started: holder.text(0, 4) ?? "")
                guard process.isGone, !dead.contains(owner) else {
                    throw StorageError(
                        .locked,
                        """
                        the profile is in use by process \(process.number) on \(process.host); close it there \
                        (its lease ends in \(holder.number(0, 5) ?? 0) s unless that process renews it)
                        """)
                }
                dead.append(owner)
            }
        }

        /// Shuts out what the last connection may still send, and finds out what became of it.
        private func takeAgain(
            _ request: ConnectionRequest, _ token: [UInt8], over connection: PostgreSQLConnection
        ) throws {
            let rows = try connection.run(
                .takeAgain,
                [
                    PostgreSQLValue.text(profile), server.owner, request.owner.bytes,
                    PostgreSQLValue.number(Int64(clamping: request.attempt)), token,
                ])
            guard rows.count == 1 else { throw PostgreSQLStore.fenced }
            try head.resume(at: rows.number(0, 0) ?? 0, rows.blob(0, 1))
        }
    }

    /// The last change of a profile that one opening knows of.
    final class PostgreSQLHead: Sendable {
        private struct State {
            var revision: Int64 = 0
            var commit: [UInt8] = []
            /// What the next change is called, of which no answer came yet.
            var pending: [UInt8]?
        }

        private let state = Mutex(State())

        func begin(at revision: Int64, _ commit: [UInt8]) {
            state.withLock { $0 = State(revision: revision, commit: commit) }
        }

        /// Throws `fenced` if the server does not have what it acknowledged: it stands where a standby or a
        /// backup was, and what this opening knows is not what is there.
        func resume(at revision: Int64, _ commit: [UInt8]) throws {
            try state.withLock { state in
                let isSame = revision == state.revision && commit == state.commit
                let isNext = revision == state.revision + 1 && commit == state.pending
                guard isSame || isNext else {
                    throw Self.wentBack(to: revision, from: state.revision)
                }
                state = State(revision: revision, commit: commit)
            }
        }

        /// The error of a change that does not follow the server's revision.
        func isNot(at revision: Int64) -> StorageError {
            state.withLock { Self.wentBack(to: revision, from: $0.revision) }
        }

        private static func wentBack(to found: Int64, from known: Int64) -> StorageError {
            StorageError(
                .fenced,
                """
                the server is at revision \(found) of the profile and has acknowledged revision \(known): \
                another server without the last changes took its place, or a backup did; open the profile \
                again
                """)
        }

        /// The revision that a change would follow.
        var revision: Int64 { state.withLock { $0.revision } }

        /// A change begins: the revision that it follows.
        func next(_ commit: [UInt8]) -> Int64 {
            state.withLock { state in
                state.pending = commit
                return state.revision
            }
        }

        /// The change was applied.
        func advance() {
            state.withLock { state in
                state = State(revision: state.revision + 1, commit: state.pending ?? [])
            }
        }
    }
#endif
