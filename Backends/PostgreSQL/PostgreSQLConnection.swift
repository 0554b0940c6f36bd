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

    /// One connection of libpq. One thread at a time uses it, as libpq demands: whoever took it from the pool.
    final class PostgreSQLConnection: Sendable {
        /// libpq's handle as a number, which may go from thread to thread.
        private let address: UInt
        private var handle: OpaquePointer? { OpaquePointer(bitPattern: address) }
        private let prepared = Mutex<Set<String>>([])
        private let warnings = PostgreSQLWarnings()
        /// A number of the socket that is nobody else's, whatever libpq does meanwhile.
        private let socket = Mutex<Int32>(-1)
        private let isEnded = Atomic(false)

        /// - Parameters:
        ///   - parameters: keywords of libpq and their values.
        ///   - patience: how long connecting may take, all hosts together.
        init(_ parameters: [String: String], patience: Duration) throws {
            let names = Array(parameters.keys)
            let handle = Self.withTexts(names) { names in
                Self.withTexts(Array(parameters.values)) { PQconnectStartParams(names, $0, 0) }
            }
            guard let handle else { throw PostgreSQLFailure(state: "53200", isStatementOnly: true) }
            address = UInt(bitPattern: handle)
            PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
            if PQstatus(handle) == CONNECTION_BAD {
                throw Self.areTaken(parameters)
                    ? connectingFailed
                    : PostgreSQLFailure(state: "", isStatementOnly: true, finding: .settings)
            }
            try waitForConnection(until: DispatchTime.now() + .nanoseconds(patience.nanoseconds))
            PQsetNoticeReceiver(handle, PostgreSQLWarnings.receive, warnings.pointer)
            let copy = dup(PQsocket(handle))
            socket.withLock { $0 = copy }
            // What others put into schemas of the database, such as operators, is never found.
            _ = try run("SET search_path = pg_catalog, pg_temp")
        }

        deinit {
            PQfinish(handle)
            socket.withLock { if $0 >= 0 { close($0) } }
        }

        /// Whether libpq still believes in it.
        var isUsable: Bool {
            !isEnded.load(ordering: .relaxed) && PQstatus(handle) == CONNECTION_OK
                && PQtransactionStatus(handle) == PQTRANS_IDLE
        }

        /// Whether nothing came while nobody asked: what comes then is the end of the connection.
        var isQuiet: Bool {
            var state = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            return poll(&state, 1, 0) == 0
        }

        /// Ends what is being sent or received; another thread may do that as long as the connection lives.
        func interrupt() {
            isEnded.store(true, ordering: .relaxed)
            socket.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) }
        }

        /// Does something over it, and ends it if that takes longer.
        func within<Success>(_ patience: Duration, _ work: () throws -> Success) throws -> Success {
            let limit = PostgreSQLLimit()
            // waits: on no thread
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .nanoseconds(patience.nanoseconds)
            ) { [weak self] in limit.reach { self?.interrupt() } }
            defer { limit.lift() }
            return try work()
        }

        private func waitForConnection(until end: DispatchTime) throws {
            var wanted = PGRES_POLLING_WRITING
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
                    wanted = PQconnectPoll(handle)
                }
            }
        }

        /// Whether libpq has begun to connect with these settings; if not, they are wrong.
        private static func areTaken(_ parameters: [String: String]) -> Bool {
            withTexts(Array(parameters.keys)) { names in
                withTexts(Array(parameters.values)) {
                    PQpingParams(names, $0, 0) != PQPING_NO_ATTEMPT
                }
            }
        }

        /// Of what a server refuses libpq tells the state alone, in whatever language the server speaks; what it
        /// found by itself it says in words.
        private var connectingFailed: PostgreSQLFailure {
            let text = String(cString: PQerrorMessage(handle))
            let ends = text.split(separator: "\n").compactMap { $0.split(separator: " ").last }
            let state = ends.last { word in
                word.utf8.count == 5
                    && word.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
            }
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

        // MARK: Statements

        /// Several statements without values, one after another; the rows of the last one, as text.
        func run(_ text: String) throws -> PostgreSQLRows {
            try rows(of: PQexec(handle, text))
        }

        /// A statement that is prepared the first time; values and rows are binary.
        func run(_ statement: PostgreSQLStatement, _ values: [[UInt8]?]) throws -> PostgreSQLRows {
            if prepared.withLock({ !$0.contains(statement.name) }) {
                _ = try rows(of: PQprepare(handle, statement.name, statement.text, 0, nil))
                prepared.withLock { _ = $0.insert(statement.name) }
            }
            warnings.forget()
            let result = Self.withValues(values) { pointers, lengths, formats in
                PQexecPrepared(
                    handle, statement.name, Int32(values.count), pointers, lengths, formats, 1)
            }
            let rows = try rows(of: result)
            // A commit whose wait for the standbys was ended by hand is told as a warning alone.
            if warnings.came { throw PostgreSQLFailure(state: "01000", isStatementOnly: false) }
            return rows
        }

        private func rows(of result: OpaquePointer?) throws -> PostgreSQLRows {
            let rows = PostgreSQLRows(result)
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return rows
            default: throw PostgreSQLFailure(of: result)
            }
        }

        private static func withTexts<Success>(
            _ texts: [String], _ work: (UnsafePointer<UnsafePointer<CChar>?>?) -> Success
        ) -> Success {
            let copies = texts.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            let list = copies.map { UnsafePointer($0) } + [nil]
            return list.withUnsafeBufferPointer { work($0.baseAddress) }
        }

        /// The values one behind another in memory, and where each begins.
        private static func withValues<Success>(
            _ values: [[UInt8]?],
            _ work: (
                _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
                _ formats: UnsafePointer<Int32>?
            ) -> Success
        ) -> Success {
            let lengths = values.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: values.count)
            // One byte more, so that an empty value has a place, too: none at all is NULL.
            let bytes = values.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
            return bytes.withUnsafeBytes { bytes in
                var pointers: [UnsafePointer<CChar>?] = []
                var place = 0
                for value in values {
                    let start = bytes.baseAddress?.advanced(by: place)
                    pointers.append(value == nil ? nil : start?.assumingMemoryBound(to: CChar.self))
                    place += value?.count ?? 0
                }
                return work(pointers, lengths, formats)
            }
        }
    }

    /// The end of a time, unless what was limited ended before.
    private final class PostgreSQLLimit: Sendable {
        private let isLifted = Mutex(false)

        func lift() { isLifted.withLock { $0 = true } }
        func reach(_ act: () -> Void) { isLifted.withLock { if !$0 { act() } } }
    }

    extension Duration {
        /// As far as an `Int64` goes.
        var milliseconds: Int64 { Int64(nanoseconds / 1_000_000) }

        /// As far as an `Int` goes.
        var nanoseconds: Int {
            let (seconds, rest) = components
            let (product, isTooLarge) = Int(clamping: seconds).multipliedReportingOverflow(
                by: 1_000_000_000)
            return isTooLarge ? .max : product + Int(rest / 1_000_000_000)
        }
    }

    /// Whether the server warned since somebody looked.
    private final class PostgreSQLWarnings: Sendable {
        private let seen = Atomic(false)

        var came: Bool { seen.load(ordering: .relaxed) }
        func forget() { seen.store(false, ordering: .relaxed) }

        /// Valid as long as this value.
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

    /// What a statement answered.
    final class PostgreSQLRows {
        private let result: OpaquePointer?

        init(_ result: OpaquePointer?) { self.result = result }

        deinit { PQclear(result) }

        var count: Int { Int(PQntuples(result)) }

        /// The bytes of a value, valid as long as the rows; `nil` for NULL.
        func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
            let (row, column) = (Int32(row), Int32(column))
            guard row < PQntuples(result), PQgetisnull(result, row, column) == 0 else { return nil }
            return UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column))
            )
        }

        /// A whole number of any width.
        func number(_ row: Int, _ column: Int) -> Int64? {
            bytes(row, column).map { bytes in
                let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                let unused = UInt64(64 - 8 * min(8, bytes.count))
                return Int64(bitPattern: value << unused) >> Int64(unused)
            }
        }

        /// A copy of the bytes of a value; empty for NULL.
        func blob(_ row: Int, _ column: Int) -> [UInt8] {
            bytes(row, column).map { [UInt8]($0) } ?? []
        }

        /// Whether a value is true; NULL is not.
        func isTrue(_ row: Int, _ column: Int) -> Bool { bytes(row, column)?.first == 1 }

        func text(_ row: Int, _ column: Int) -> String? {
            bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif
