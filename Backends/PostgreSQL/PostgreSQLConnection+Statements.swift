#if PostgreSQL
    internal import BrowserSessions
    internal import CPostgreSQL

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// The limits of an answer. A server that sends more is not one of ours, and would fill the
    /// memory.
    struct PostgreSQLBound: Sendable {
        var rows: Int
        /// Everything until the answer is complete, including notices.
        var bytes: Int

        /// The bytes that are sent beside the rows.
        static let slack = 1 << 20
        /// One row without a large value.
        static let one = PostgreSQLBound(rows: 1, bytes: slack)
        /// Rows that people ask for.
        static let text = PostgreSQLBound(rows: 100_000, bytes: 8 << 20)

        /// Returns the limits for rows of at most so many bytes each.
        static func rows(_ count: Int, of bytes: Int) -> PostgreSQLBound {
            PostgreSQLBound(rows: count, bytes: slack + count * (bytes + 1024))
        }
    }

    extension PostgreSQLConnection {
        /// More results than our statements have.
        private static let maximumResults = 64

        /// Runs several statements without values, one after another; returns the rows of the last
        /// one, as text.
        func run(_ text: String) throws -> PostgreSQLRows {
            try answer(within: .text, toSent: PQsendQuery(handle, text))
        }

        /// Runs a statement, and prepares it the first time; values and rows are binary.
        func run(
            _ statement: PostgreSQLStatement, _ values: [[UInt8]?],
            within bound: PostgreSQLBound = .one
        ) throws -> PostgreSQLRows {
            try prepare(statement)
            let rows = try answer(within: bound, toSent: send(statement, values))
            // If the wait of a commit for the standbys is ended by hand, only a warning reports it.
            if warnings.came { throw PostgreSQLFailure(state: "01000", isStatementOnly: false) }
            return rows
        }

        /// Runs a change with ``PostgreSQLSession/weakness`` in its second column; throws if there
        /// is one.
        ///
        /// When `synchronous_standby_names` is emptied, commits that wait are acknowledged as if a
        /// standby had confirmed them. So the question goes behind such a change once more, in the
        /// same round trip.
        func change(_ statement: PostgreSQLStatement, _ values: [[UInt8]?]) throws
            -> PostgreSQLRows
        {
            guard session.durability >= .replicated else {
                let rows = try run(statement, values)
                try PostgreSQLSettings.require(rows, 1)
                return rows
            }
            try prepare(.weakness)
            try prepare(statement)
            let isSent =
                PQenterPipelineMode(handle) & send(statement, values) & PQpipelineSync(handle)
                & send(.weakness, []) & PQpipelineSync(handle)
            // The third one is that of the last sync.
            let found = (1...3).map { _ in Result { try answer(within: .one, toSent: isSent) } }
            if PQexitPipelineMode(handle) != 1 { interrupt() }
            let rows = try found[0].get()
            if warnings.came { throw PostgreSQLFailure(state: "01000", isStatementOnly: false) }
            try PostgreSQLSettings.require(rows, 1)
            try PostgreSQLSettings.require(found[1].get(), 0, effect: .indeterminate)
            return rows
        }

        private func prepare(_ statement: PostgreSQLStatement) throws {
            if !session.prepared.contains(statement.name) {
                let text = statement.text.replacing(
                    PostgreSQLStatement.mark, with: session.weakness)
                let isSent = PQsendPrepare(handle, statement.name, text, 0, nil)
                _ = try answer(within: .one, toSent: isSent)
                session.prepared.insert(statement.name)
            }
            warnings.forget()
        }

        private func send(_ statement: PostgreSQLStatement, _ values: [[UInt8]?]) -> Int32 {
            Self.withValues(values) { pointers, lengths, formats in
                PQsendQueryPrepared(
                    handle, statement.name, Int32(values.count), pointers, lengths, formats, 1)
            }
        }

        /// Returns the last result of what was sent, or throws the first failure.
        private func answer(within bound: PostgreSQLBound, toSent isSent: Int32) throws
            -> PostgreSQLRows
        {
            guard isSent == 1 else { throw PostgreSQLFailure(of: nil) }
            // Some bytes are counted twice, because not all are read at once.
            var (left, results) = (2 * bound.bytes, 0)
            var last = PostgreSQLRows(nil)
            var failure: PostgreSQLFailure?
            // waits: each turn receives a result
            while true {
                try receive(&left)
                guard let result = PQgetResult(handle) else { break }
                let rows = PostgreSQLRows(result)
                results += 1
                switch PQresultStatus(result) {
                case PGRES_PIPELINE_SYNC: break
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = rows
                case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR:
                    failure = failure ?? PostgreSQLFailure(of: result)
                default: throw nonsense()
                }
                guard results <= Self.maximumResults, rows.count <= bound.rows else {
                    throw nonsense()
                }
            }
            forgetNotifications()
            if let failure { throw failure }
            guard results > 0 else { throw PostgreSQLFailure(of: nil) }
            return last
        }

        /// Blocks until a result is complete.
        ///
        /// - Parameter left: how many bytes may still come.
        private func receive(_ left: inout Int) throws {
            // waits: each turn blocks until the server sends or takes something
            while true {
                let unsent = PQflush(handle)
                if unsent < 0 || unsent == 0 && PQisBusy(handle) == 0 { return }
                let events = unsent > 0 ? POLLIN | POLLOUT : POLLIN
                var state = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
                if poll(&state, 1, -1) < 0, errno != EINTR { return }
                guard state.revents & ~Int16(POLLOUT) != 0 else { continue }
                // With TLS, libpq may leave the rest of a packet unread, and the socket does not
                // show it.
                let turns = isEncrypted ? 3 : 1
                for _ in 0..<turns {
                    left -= nextBytes
                    guard left >= 0 else { throw nonsense() }
                    if PQconsumeInput(handle) == 0 { return }
                }
            }
        }

        /// Whether libpq decrypts what comes, packet by packet.
        private var isEncrypted: Bool { PQsslInUse(handle) == 1 || PQgssEncInUse(handle) == 1 }

        /// How many bytes libpq is about to read, which it does not report: if many have come, at
        /// least some of them.
        ///
        /// A server can make it read a few times that, and one message as long as it says.
        var nextBytes: Int {
            var count: Int32 = 0
            let isKnown = ioctl(PQsocket(handle), UInt(FIONREAD), &count) == 0
            let most = isEncrypted ? 8192 : 65_536
            return isKnown ? min(max(Int(count), 512), most) : most
        }

        /// No notifications were requested, but a server may send them.
        private func forgetNotifications() {
            // waits: for no more turns than notifications came
            while let notification = PQnotifies(handle) { PQfreemem(notification) }
        }

        /// Ends the connection, because nothing that comes over it can be trusted any more.
        func nonsense() -> PostgreSQLFailure {
            interrupt()
            return PostgreSQLFailure(state: "", isStatementOnly: false, finding: .nonsense)
        }

        /// Reads keywords and their values in libpq's form.
        typealias KeywordReader<Success> = (
            _ names: UnsafePointer<UnsafePointer<CChar>?>?,
            _ values: UnsafePointer<UnsafePointer<CChar>?>?
        ) -> Success

        static func withKeywords<Success>(
            _ parameters: [String: String], _ work: KeywordReader<Success>
        ) -> Success {
            withTexts(Array(parameters.keys)) { names in
                withTexts(Array(parameters.values)) { work(names, $0) }
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

        /// Lends the values, one after another in memory, and the beginning of each.
        private static func withValues<Success>(
            _ values: [[UInt8]?],
            _ work: (
                _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
                _ formats: UnsafePointer<Int32>?
            ) -> Success
        ) -> Success {
            let lengths = values.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: values.count)
            // One more byte gives an empty value an address too: a null address is NULL.
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
#endif
