#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines

    /// Keeps records in tables of a PostgreSQL server; see ``PostgreSQLSchema``.
    struct PostgreSQLEngine: ConnectedEngine {
        static let backendName = "postgresql"

        let name = PostgreSQLEngine.backendName
        let formatVersion = 1
        let abilities: EngineAbilities
        var executor: StoreExecutor { server.executor }
        private let profile: String
        private let server: PostgreSQLServer
        /// What is known about the profile, across the connections of one opening.
        private let head = PostgreSQLHead()

        init(_ address: PostgreSQLAddress, _ durability: Durability, _ server: PostgreSQLServer) {
            profile = address.profile
            self.server = server
            // A message to a server has less than a gigabyte.
            abilities = EngineAbilities(
                durability: durability,
                limits: EngineLimits(
                    valueBytes: PostgreSQLReading.maximumValueBytes, batchBytes: 384 << 20,
                    batchOperations: 1 << 22),
                findsDamage: true, opensReaders: true)
        }

        func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
            let line = PostgreSQLLine()
            server.begin(request.owner)
            let timeout = request.environment.timeout
            let token = CommitID.random().bytes
            do {
                try server.use(line, timeout: timeout, isWatched: false) { connection in
                    let now = try server.present(over: connection)
                    let end = Int64(now.value) + timeout.milliseconds
                    if request.attempt == 0 {
                        try take(request, token, over: connection, until: end)
                    } else {
                        try takeAgain(request, token, over: connection)
                    }
                }
            } catch let error as StorageError where error.code == .locked {
                // The server has answered: nothing of this opening exists or is on its way.
                server.end(request.owner, isKnown: true, timeout: timeout)
                throw error
            }
            return PostgreSQLStore(
                of: profile, at: server, over: line, request, token: token, head: head)
        }

        func view(_ request: ConnectionRequest) throws -> (any EngineView)? {
            try PostgreSQLView(of: profile, at: server, within: request.environment.timeout)
        }

        func giveUp(_ request: ConnectionRequest) {
            server.end(request.owner, isKnown: false, timeout: request.environment.timeout)
        }

        /// - Parameter end: the server time at which the caller stops waiting.
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
                    // The last to take something from a process that ended without leaving removes
                    // its row.
                    for owner in dead { _ = try? connection.run(.leave, [owner]) }
                    let revision = try rows.stored(0, 0, PostgreSQLHead.revisionName)
                    return head.begin(at: revision, try rows.identifier(0, 1, "a last commit"))
                }
                let holder = try connection.run(.holder, [PostgreSQLValue.text(profile)])
                guard holder.count == 1 else { continue }
                let owner = holder.blob(0, 0)
                let process = PostgreSQLProcess(
                    host: holder.shown(0, 1), machine: holder.text(0, 2) ?? "",
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

        /// Shuts out what the last connection may still send, and finds out whether it was applied.
        private func takeAgain(
            _ request: ConnectionRequest, _ token: [UInt8], over connection: PostgreSQLConnection
        ) throws {
            let rows = try connection.change(
                .takeAgain,
                [
                    PostgreSQLValue.text(profile), server.owner, request.owner.bytes,
                    PostgreSQLValue.number(Int64(clamping: request.attempt)), token,
                ])
            guard rows.count == 1 else { throw PostgreSQLStore.fenced }
            let revision = try rows.stored(0, 0, PostgreSQLHead.revisionName)
            try head.resume(at: revision, rows.identifier(0, 2, "a last commit"))
        }
    }
#endif
