#if PostgreSQL
    internal import BrowserSessions
    internal import CPostgreSQL
    import Dispatch
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// One connection of libpq. As libpq demands, one thread at a time uses it: the one that took
    /// it from the pool.
    final class PostgreSQLConnection: Sendable {
        /// libpq's handle as a number, which may be passed between threads.
        private let address: UInt
        var handle: OpaquePointer? { OpaquePointer(bitPattern: address) }
        private let sessionNow = Mutex(PostgreSQLSession())
        /// The session of the server.
        var session: PostgreSQLSession {
            get { sessionNow.withLock { $0 } }
            set { sessionNow.withLock { $0 = newValue } }
        }
        let warnings = PostgreSQLWarnings()
        /// A descriptor of the socket that only this object uses, whatever libpq does in the
        /// meantime.
        private let socket = Mutex<Int32>(-1)
        private let isEnded = Atomic(false)

        /// - Parameters:
        ///   - parameters: keywords of libpq and their values.
        ///   - timeout: the time limit for connecting, for all hosts together.
        ///   - isProbe: whether it is only to be compared with another one, and nothing is set.
        init(_ parameters: [String: String], timeout: Duration, isProbe: Bool = false) throws {
            let parameters = PostgreSQLTransport.secured(parameters)
            let handle = Self.withKeywords(parameters) { PQconnectStartParams($0, $1, 0) }
            guard let handle else { throw PostgreSQLFailure(state: "53200", isStatementOnly: true) }
            address = UInt(bitPattern: handle)
            // Before the server can send anything: libpq would write its notices to standard error.
            PQsetNoticeReceiver(handle, PostgreSQLWarnings.receive, warnings.pointer)
            PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
            if PQstatus(handle) == CONNECTION_BAD {
                throw PostgreSQLTransport.areTaken(parameters)
                    ? connectingFailed
                    : PostgreSQLFailure(state: "", isStatementOnly: true, finding: .settings)
            }
            try waitForConnection(until: DispatchTime.now() + .nanoseconds(timeout.nanoseconds))
            PQsetnonblocking(handle, 1)
            let copy = dup(PQsocket(handle))
            socket.withLock { $0 = copy }
            if isProbe { return }
            try within(timeout) {
                session.process = try ownProcess(parameters, timeout)
                _ = try run(Self.defenses)
            }
        }

        /// Returns the process of the server that this connection has for itself. Throws if a
        /// pooler gives each transaction another one: whatever is set there is set for others.
        ///
        /// Poolers give logins a process number of their own. Behind such a one, transactions of
        /// this connection and of a second one are compared, since a pooler with little to do may
        /// always use the same process. A second connection that waits proves that this one has its
        /// process for itself.
        private func ownProcess(_ parameters: [String: String], _ timeout: Duration) throws -> Int32
        {
            let own = try process()
            var isShared = try process() != own
            if !isShared, own != PQbackendPID(handle) {
                let limit = min(timeout / 3, .seconds(2))
                let other = try? PostgreSQLConnection(parameters, timeout: limit, isProbe: true)
                let theirs = try? other?.within(limit) { try other?.process() }
                isShared = try theirs == own || process() != own
            }
            if isShared { throw StorageError(.unsupported, PostgreSQLSettings.pooled) }
            return own
        }

        private func process() throws -> Int32 {
            Int32(try run("SELECT pg_catalog.pg_backend_pid()").text(0, 0) ?? "") ?? 0
        }

        /// Settings that others may have changed for a database or a role, and that matter.
        ///
        /// What others put into schemas of the database, such as operators, is never found. Rows
        /// that row security would hide are an error. A warning that standbys did not confirm is
        /// sent.
        private static let defenses = """
            SET search_path = pg_catalog, pg_temp; SET row_security = off;
            SET client_min_messages = warning; SET standard_conforming_strings = on;
            SET lock_timeout = 0
            """

        deinit {
            PQfinish(handle)
            socket.withLock { if $0 >= 0 { close($0) } }
        }

        /// Whether libpq considers it connected.
        var isUsable: Bool {
            !isEnded.load(ordering: .relaxed) && PQstatus(handle) == CONNECTION_OK
                && PQtransactionStatus(handle) == PQTRANS_IDLE
        }

        /// Whether nothing came without a request: that would be the end of the connection.
        var isQuiet: Bool {
            var state = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            return poll(&state, 1, 0) == 0
        }

        /// Ends what is being sent or received; another thread may call it as long as the
        /// connection exists.
        func interrupt() {
            isEnded.store(true, ordering: .relaxed)
            socket.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) }
        }

        /// Does work over the connection, and ends the connection if that takes too long.
        func within<Success>(_ timeout: Duration, _ work: () throws -> Success) throws -> Success {
            let limit = PostgreSQLLimit()
            // waits: on no thread
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .nanoseconds(timeout.nanoseconds)
            ) { [weak self] in limit.reach { self?.interrupt() } }
            defer { limit.lift() }
            return try work()
        }

        private func waitForConnection(until end: DispatchTime) throws {
            var wanted = PGRES_POLLING_WRITING
            var left = PostgreSQLBound.slack
            // waits: each turn blocks until the server or the time has come
            while wanted != PGRES_POLLING_OK {
                guard wanted != PGRES_POLLING_FAILED else { throw connectingFailed }
                let now = DispatchTime.now().uptimeNanoseconds
                guard end.uptimeNanoseconds > now else {
                    throw PostgreSQLFailure(state: "", isStatementOnly: true)
                }
                let milliseconds = (end.uptimeNanoseconds - now) / 1_000_000 + 1
                let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
                var state = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
                if poll(&state, 1, Int32(clamping: milliseconds)) > 0 {
                    left -= nextBytes
                    guard left >= 0 else {
                        throw PostgreSQLFailure(
                            state: "", isStatementOnly: true, finding: .nonsense)
                    }
                    wanted = PQconnectPoll(handle)
                }
            }
        }

        /// If the server refuses, libpq's error contains only the state, whatever language the
        /// server speaks. What libpq finds itself, it describes in words.
        private var connectingFailed: PostgreSQLFailure {
            let text = String(cString: PQerrorMessage(handle))
            let ends = text.split(separator: "\n").compactMap { $0.split(separator: " ").last }
            let state = ends.last { PostgreSQLFailure.isState($0) }
            if let state { return PostgreSQLFailure(state: String(state), isStatementOnly: true) }
            let known = Self.texts.first { text.contains($0.text) }
            let isTLS = text.contains("SSL") || text.contains("certificate")
            return PostgreSQLFailure(
                state: known?.state ?? "", isStatementOnly: true,
                finding: known == nil && isTLS ? .encryption : nil)
        }

        private static let texts: [(text: String, state: String)] = [
            ("session is read-only", "25006"), ("server is in hot standby", "25006"),
            ("no password supplied", "28P01"),
        ]
    }

    /// Ends a connection after a time, unless the limited work ended before.
    private final class PostgreSQLLimit: Sendable {
        private let isLifted = Mutex(false)

        func lift() { isLifted.withLock { $0 = true } }
        func reach(_ act: () -> Void) { isLifted.withLock { if !$0 { act() } } }
    }

    extension Duration {
        /// Limited to the range of `Int64`.
        var milliseconds: Int64 { Int64(nanoseconds / 1_000_000) }

        /// Limited to the range of `Int`.
        var nanoseconds: Int {
            let (seconds, rest) = components
            let (product, isTooLarge) = Int(clamping: seconds).multipliedReportingOverflow(
                by: 1_000_000_000)
            return isTooLarge ? .max : product + Int(rest / 1_000_000_000)
        }
    }

    /// Whether the server has warned since the last check.
    final class PostgreSQLWarnings: Sendable {
        private let seen = Atomic(false)

        var came: Bool { seen.load(ordering: .relaxed) }
        func forget() { seen.store(false, ordering: .relaxed) }

        /// Valid as long as this value exists.
        var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        static let receive: PQnoticeReceiver = { context, result in
            guard let context,
                let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V"))),
                String(cString: severity) == "WARNING"
            else { return }
            Unmanaged<PostgreSQLWarnings>.fromOpaque(context).takeUnretainedValue()
                .seen.store(true, ordering: .relaxed)
        }
    }
#endif
