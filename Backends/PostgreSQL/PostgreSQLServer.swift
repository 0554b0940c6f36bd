#if PostgreSQL
    internal import BrowserSessions
    import Dispatch
    internal import StorageEngines
    import Synchronization

    /// The servers that the stores of one backend value share, as long as the value exists.
    final class PostgreSQLServers: Sendable {
        private struct Key: Hashable {
            var parameters: [String: String]
            var durability: Durability
            var timeout: Duration
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

        /// - Parameter timeout: how long a call may take.
        func server(at address: PostgreSQLAddress, durability: Durability, timeout: Duration)
            -> PostgreSQLServer
        {
            servers.withLock { servers in
                let key = Key(
                    parameters: address.parameters, durability: durability, timeout: timeout)
                if let known = servers[key] { return known }
                let new = PostgreSQLServer(address, durability, connections, lease, executor)
                servers[key] = new
                return new
            }
        }
    }

    /// A server, with what this process's stores there share: connections and a lease.
    final class PostgreSQLServer: Sendable {
        let durability: Durability
        let executor: StoreExecutor
        private let address: PostgreSQLAddress
        private let lease: Duration
        private let pool: PostgreSQLPool
        /// The last host that was of the right kind.
        private let lastHost = Atomic(0)
        /// The connection that renews the lease, independently of the others.
        private let renewing = Mutex<PostgreSQLConnection?>(nil)
        private let openings = Mutex(Openings())
        /// Held while this process announces itself or leaves.
        private let presence = Mutex<Void>(())
        private let process = PostgreSQLProcess.own

        private struct Openings {
            /// The name of this process there until it leaves; then it gets another one.
            var owner = CommitID.random().bytes
            /// Whether the server may know that name.
            var isPresent = false
            var living: Set<[UInt8]> = []
            /// Openings given up without notifying the server, and until when their messages may
            /// arrive.
            var dead: [[UInt8]: DispatchTime] = [:]
            var isRenewing = false

            var isNeeded: Bool { !living.isEmpty || !dead.isEmpty }

            /// Returns the name that this process had, if nothing is open and nothing must still be
            /// reported.
            mutating func leave() -> [UInt8]? {
                guard isPresent, !isNeeded else { return nil }
                defer { (owner, isPresent) = (CommitID.random().bytes, false) }
                return owner
            }
        }

        var owner: [UInt8] { openings.withLock { $0.owner } }

        init(
            _ address: PostgreSQLAddress, _ durability: Durability, _ connections: Int,
            _ lease: Duration, _ executor: StoreExecutor
        ) {
            (self.address, self.durability, self.lease) = (address, durability, lease)
            self.executor = executor
            pool = PostgreSQLPool(connections)
        }

        /// Returns an error in the form for callers.
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

        /// Does work over a connection that is not used by others in the meantime.
        ///
        /// - Parameters:
        ///   - line: can end the connection from elsewhere.
        ///   - isWatched: whether a caller does that when it takes too long; otherwise it ends by
        ///     itself.
        func use<Success>(
            _ line: PostgreSQLLine, timeout: Duration, isWatched: Bool, changes: Bool = false,
            _ work: (PostgreSQLConnection) throws -> Success
        ) throws -> Success {
            let found: PostgreSQLConnection?
            do {
                found = try pool.take(until: .now() + .nanoseconds(timeout.nanoseconds)) {
                    try makeConnection(timeout)
                }
            } catch { throw Self.error(error, at: address, changes: false) }
            guard let connection = found else {
                throw StorageError(
                    .unavailable,
                    "all connections to '\(address)' were in use for \(timeout); try again later")
            }
            defer { pool.giveBack(connection) }
            do {
                return try line.carry(connection) {
                    isWatched
                        ? try work(connection)
                        : try connection.within(timeout) { try work(connection) }
                }
            } catch { throw Self.error(error, at: address, changes: changes) }
        }

        /// Makes a connection for the caller alone, which is not shared.
        func connect(within limit: Duration) throws -> PostgreSQLConnection {
            try telling { try makeConnection(limit) }
        }

        /// Does work over such a connection; errors are those of calls that change nothing.
        func telling<Success>(_ work: () throws -> Success) throws -> Success {
            do { return try work() } catch {
                throw Self.error(error, at: address, changes: false)
            }
        }

        private func makeConnection(_ timeout: Duration) throws -> PostgreSQLConnection {
            let (connection, host) = try address.connect(
                first: lastHost.load(ordering: .relaxed), timeout: timeout)
            try connection.within(timeout) {
                try PostgreSQLSettings.apply(to: connection, for: durability, timeout)
            }
            lastHost.store(host, ordering: .relaxed)
            return connection
        }

        // MARK: Owners

        /// Notes that an opening begins or continues: the lease is renewed as long as there is one.
        func begin(_ opening: CommitID) {
            let isFirst = openings.withLock { openings in
                openings.living.insert(opening.bytes)
                openings.isPresent = true
                defer { openings.isRenewing = true }
                return !openings.isRenewing
            }
            if isFirst { renewLater() }
        }

        /// Notes that an opening is over. With the last one the connections end.
        ///
        /// - Parameters:
        ///   - isKnown: whether the server knows; if not, each renewal notifies it.
        ///   - timeout: how long renewals do so, because the opening's last message may arrive in
        ///     the meantime.
        func end(_ opening: CommitID, isKnown: Bool, timeout: Duration) {
            let (isLast, begins, left) = openings.withLock { openings in
                let isLiving = openings.living.remove(opening.bytes) != nil
                if isLiving, !isKnown {
                    openings.dead[opening.bytes] = .now() + .nanoseconds(timeout.nanoseconds)
                }
                let begins = !openings.dead.isEmpty && !openings.isRenewing
                if begins { openings.isRenewing = true }
                return (openings.living.isEmpty, begins, openings.leave())
            }
            if let left { leave(as: left) }
            if isLast { pool.endIdle() }
            if begins { renewLater() }
        }

        /// Removes an owner that is no longer used.
        private func leave(as owner: [UInt8]) {
            presence.withLock { _ in
                try? use(PostgreSQLLine(), timeout: lease / 3, isWatched: false) { connection in
                    _ = try connection.run(.leave, [owner])
                }
            }
        }

        var givenUp: [[UInt8]] { openings.withLock { Array($0.dead.keys) } }

        /// Announces this process. Returns the server's time in milliseconds. Throws if the schema
        /// has another version, or the server keeps less than stores promise: both may have changed
        /// since the connection was made.
        func present(over connection: PostgreSQLConnection) throws -> StoredNumber {
            let rows = try present(as: owner, over: connection)
            try PostgreSQLSchema.require(rows.text(0, 1))
            try PostgreSQLSettings.require(rows, 2)
            return try rows.stored(0, 0, "a time")
        }

        @discardableResult
        private func present(as owner: [UInt8], over connection: PostgreSQLConnection) throws
            -> PostgreSQLRows
        {
            try connection.run(
                .present,
                [
                    owner, PostgreSQLValue.text(process.host),
                    PostgreSQLValue.text(process.machine),
                    PostgreSQLValue.number(process.number), PostgreSQLValue.text(process.started),
                    PostgreSQLValue.number(lease.milliseconds),
                ])
        }

        /// Renews the lease after a third of it.
        private func renewLater() {
            // waits: on no thread
            DispatchQueue(label: "browser-sessions.lease").asyncAfter(
                deadline: .now() + .nanoseconds(lease.nanoseconds / 3)
            ) { [weak self] in self?.renew() }
        }

        /// Renews the lease, and stops when nothing is open and nothing must still be reported.
        private func renew() {
            try? renewNow()
            let (goesOn, left) = openings.withLock { openings in
                openings.isRenewing = openings.isNeeded
                return (openings.isRenewing, openings.leave())
            }
            if let left {
                leave(as: left)
                pool.endIdle()
            }
            if goesOn { renewLater() } else { renewing.withLock { $0 = nil } }
        }

        private func renewNow() throws {
            let began = DispatchTime.now()
            let (owner, dead, isNeeded) = openings.withLock { openings in
                (openings.owner, Array(openings.dead.keys), openings.isNeeded)
            }
            guard isNeeded else { return }
            try overOwnConnection { connection in
                try presence.withLock { _ in
                    // A process that left in the meantime must not reappear.
                    if self.owner == owner { try present(as: owner, over: connection) }
                }
                if dead.isEmpty {
                    _ = try connection.run(.sweep, [])
                } else {
                    _ = try connection.run(.giveUp, [owner, PostgreSQLValue.uuids(dead)])
                }
            }
            openings.withLock { openings in
                for opening in dead where openings.dead[opening].map({ $0 < began }) == true {
                    openings.dead[opening] = nil
                }
            }
        }

        /// Does work over a connection of its own, so that neither waiting calls nor a server that
        /// is slow to answer them delay the renewal. If the server has no space for another
        /// connection, uses one of the others.
        private func overOwnConnection(_ work: (PostgreSQLConnection) throws -> Void) throws {
            let timeout = lease / 3
            var connection = renewing.withLock { $0 }
            if connection?.isUsable != true || connection?.isQuiet != true {
                do {
                    connection = try makeConnection(timeout)
                } catch let failure as PostgreSQLFailure where failure.isFull {
                    connection = nil
                }
                renewing.withLock { $0 = connection }
            }
            guard let connection else {
                return try use(PostgreSQLLine(), timeout: timeout, isWatched: false, work)
            }
            try connection.within(timeout) { try work(connection) }
        }
    }

    /// The connection of the current call, for callers that may have to end it.
    final class PostgreSQLLine: Sendable {
        private struct State {
            var connection: PostgreSQLConnection?
            var isInterrupted = false
        }

        private let state = Mutex(State())

        /// Does work over a connection that ``interrupt()`` can end in the meantime.
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

        /// Ends the current call and all later ones.
        func interrupt() {
            state.withLock { state in
                state.isInterrupted = true
                state.connection?.interrupt()
            }
        }
    }
#endif
