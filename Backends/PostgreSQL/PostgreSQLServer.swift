#if PostgreSQL
    internal import BrowserSessions
    import Dispatch
    internal import StorageEngines
    import Synchronization

    /// The servers that the stores of one backend value share, as long as the value lives.
    final class PostgreSQLServers: Sendable {
        private struct Key: Hashable {
            var parameters: [String: String]
            var durability: Durability
        }

        private let connections: Int
        private let lease: Duration
        private let executor: StoreExecutor
        private let servers = Mutex<[Key: PostgreSQLServer]>([:])

        init(connections: Int, lease: Duration) {
            self.connections = connections
            self.lease = lease
            executor = StoreExecutor(width: connections)
        }

        func server(at address: PostgreSQLAddress, durability: Durability) -> PostgreSQLServer {
            servers.withLock { servers in
                let key = Key(parameters: address.parameters, durability: durability)
                if let known = servers[key] { return known }
                let new = PostgreSQLServer(address, durability, connections, lease, executor)
                servers[key] = new
                return new
            }
        }
    }

    /// A server, and what the stores of this process that are there share: connections and a lease.
    final class PostgreSQLServer: Sendable {
        /// What this process is called there.
        let owner = CommitID.random().bytes
        let durability: Durability
        let executor: StoreExecutor
        private let address: PostgreSQLAddress
        private let lease: Duration
        private let free: DispatchSemaphore
        private let idle = Mutex<[PostgreSQLConnection]>([])
        private let openings = Mutex(Openings())
        private let process = PostgreSQLProcess.own

        private struct Openings {
            var living: Set<[UInt8]> = []
            /// Given up without a word to the server.
            var dead: Set<[UInt8]> = []
            var isRenewing = false
        }

        init(
            _ address: PostgreSQLAddress, _ durability: Durability, _ connections: Int,
            _ lease: Duration, _ executor: StoreExecutor
        ) {
            (self.address, self.durability, self.lease) = (address, durability, lease)
            self.executor = executor
            free = DispatchSemaphore(value: connections)
        }

        /// An error as a caller gets it.
        static func error(_ error: any Error, at address: PostgreSQLAddress, changes: Bool)
            -> StorageError
        {
            guard let failure = error as? PostgreSQLFailure else {
                return error as? StorageError
                    ?? StorageError(.failed, "the backend failed: \(error)", underlying: error)
            }
            return failure.error("PostgreSQL at '\(address)'", changes: changes)
        }

        // MARK: Connections

        /// Does something over a connection that nobody else uses meanwhile.
        ///
        /// - Parameter line: can end it from elsewhere.
        func use<Success>(
            _ line: PostgreSQLLine, patience: Duration, changes: Bool = false,
            _ work: (PostgreSQLConnection) throws -> Success
        ) throws -> Success {
            // waits: for a connection, as long as a call may take
            guard free.wait(timeout: .now() + .nanoseconds(patience.nanoseconds)) == .success else {
                throw StorageError(
                    .unavailable,
                    "all connections to '\(address)' were in use for \(patience); try again later")
            }
            defer { free.signal() }
            let connection: PostgreSQLConnection
            do {
                connection = try idleConnection() ?? makeConnection(patience)
            } catch { throw Self.error(error, at: address, changes: false) }
            do {
                let result = try line.carry(connection) { try work(connection) }
                if connection.isUsable { idle.withLock { $0.append(connection) } }
                return result
            } catch {
                if connection.isUsable { idle.withLock { $0.append(connection) } }
                throw Self.error(error, at: address, changes: changes)
            }
        }

        private func idleConnection() -> PostgreSQLConnection? {
            idle.withLock { idle in
                while let connection = idle.popLast() {
                    if connection.isUsable, connection.isQuiet { return connection }
                }
                return nil
            }
        }

        private func makeConnection(_ patience: Duration) throws -> PostgreSQLConnection {
            var parameters = address.parameters
            if parameters["target_session_attrs"] == nil {
                parameters["target_session_attrs"] = "read-write"
            }
            parameters["application_name"] = "browser-sessions"
            parameters["client_encoding"] = "UTF8"
            let connection = try PostgreSQLConnection(parameters, patience: patience)
            try PostgreSQLSettings.apply(to: connection, for: durability)
            return connection
        }

        // MARK: Owners

        /// An opening begins or goes on: the lease is renewed as long as there is one.
        func begin(_ opening: CommitID) {
            let isFirst = openings.withLock { openings in
                openings.living.insert(opening.bytes)
                defer { openings.isRenewing = true }
                return !openings.isRenewing
            }
            if isFirst { renewLater() }
        }

        /// An opening is over. With the last one the connections end.
        ///
        /// - Parameter isTold: whether the server knows; if not, it will be told.
        func end(_ opening: CommitID, isTold: Bool) {
            let (isLast, begins) = openings.withLock { openings in
                openings.living.remove(opening.bytes)
                if !isTold { openings.dead.insert(opening.bytes) }
                let begins = !openings.dead.isEmpty && !openings.isRenewing
                if begins { openings.isRenewing = true }
                return (openings.living.isEmpty, begins)
            }
            if isLast { idle.withLock { $0 = [] } }
            if begins { renewLater() }
        }

        var givenUp: [[UInt8]] { openings.withLock { Array($0.dead) } }

        /// Says that this process is there.
        func present(over connection: PostgreSQLConnection) throws {
            let (seconds, rest) = lease.components
            let milliseconds = seconds * 1000 + rest / 1_000_000_000_000_000
            _ = try connection.run(
                .present,
                [
                    owner, PostgreSQLValue.text(process.host),
                    PostgreSQLValue.text(process.machine),
                    PostgreSQLValue.number(process.number), PostgreSQLValue.text(process.started),
                    PostgreSQLValue.number(milliseconds),
                ])
        }

        /// Three times in each lease.
        private func renewLater() {
            // waits: on no thread
            DispatchQueue(label: "browser-sessions.lease").asyncAfter(
                deadline: .now() + .nanoseconds(lease.nanoseconds / 3)
            ) { [weak self] in self?.renew() }
        }

        /// Stops when nothing is open and nothing is left to be told.
        private func renew() {
            let dead = givenUp
            try? use(PostgreSQLLine(), patience: lease) { connection in
                try present(over: connection)
                if dead.isEmpty {
                    _ = try connection.run(.sweep, [])
                } else {
                    _ = try connection.run(.giveUp, [owner, PostgreSQLValue.uuids(dead)])
                    openings.withLock { $0.dead.subtract(dead) }
                }
            }
            let goesOn = openings.withLock { openings in
                openings.isRenewing = !openings.living.isEmpty || !openings.dead.isEmpty
                return openings.isRenewing
            }
            if goesOn { renewLater() }
        }
    }

    /// Where a call is on its way, for those who may have to end it.
    final class PostgreSQLLine: Sendable {
        private struct State {
            var connection: PostgreSQLConnection?
            var isInterrupted = false
        }

        private let state = Mutex(State())

        /// Does something over a connection that ``interrupt()`` ends meanwhile.
        func carry<Success>(_ connection: PostgreSQLConnection, _ work: () throws -> Success) throws
            -> Success
        {
            let isInterrupted = state.withLock { state in
                state.connection = connection
                return state.isInterrupted
            }
            defer { state.withLock { $0.connection = nil } }
            if isInterrupted { throw PostgreSQLFailure(state: "", isStatementOnly: true) }
            return try work()
        }

        /// Ends the call that is on its way, and all later ones.
        func interrupt() {
            state.withLock { state in
                state.isInterrupted = true
                state.connection?.interrupt()
            }
        }
    }
#endif
