#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines

    /// A profile that this process owns.
    final class PostgreSQLStore: EngineConnection {
        /// The size of a chunk in bytes; larger values are cut into chunks.
        static let chunkBytes = 128 << 10
        static let fenced = StorageError(.fenced, "another opener has taken the profile over")

        private let profile: [UInt8]
        private let server: PostgreSQLServer
        private let line: PostgreSQLLine
        private let request: ConnectionRequest
        private let token: [UInt8]
        private let head: PostgreSQLHead

        init(
            of profile: String, at server: PostgreSQLServer, over line: PostgreSQLLine,
            _ request: ConnectionRequest, token: [UInt8], head: PostgreSQLHead
        ) {
            self.profile = PostgreSQLValue.text(profile)
            (self.server, self.line, self.request) = (server, line, request)
            (self.token, self.head) = (token, head)
        }

        var interrupt: @Sendable () -> Void { { [line] in line.interrupt() } }

        func close() {
            let isKnown = (try? run(.release, [profile, token], isWatched: false)) != nil
            server.end(request.owner, isKnown: isKnown, timeout: request.environment.timeout)
        }

        private func run(
            _ statement: PostgreSQLStatement, _ values: [[UInt8]?],
            within bound: PostgreSQLBound = .one, isWatched: Bool = true
        ) throws -> PostgreSQLRows {
            try server.use(line, timeout: request.environment.timeout, isWatched: isWatched) {
                try $0.run(statement, values, within: bound)
            }
        }

        /// Runs a change; returns whether it was applied.
        private func change(_ statement: PostgreSQLStatement, _ values: [[UInt8]?]) throws -> Bool {
            try server.use(
                line, timeout: request.environment.timeout, isWatched: true, changes: true
            ) { connection in
                switch try connection.change(statement, values).number(0, 0) {
                case 0: false
                case 1: true
                default: throw connection.nonsense()
                }
            }
        }

        // MARK: Reading

        /// Reads as the current owner. If there is no row, the profile may belong to another owner.
        private func read(
            _ statement: PostgreSQLStatement, _ namespace: String, _ values: [[UInt8]?],
            _ bound: PostgreSQLBound
        ) throws -> PostgreSQLRows {
            let rows = try run(
                statement, [profile, token, PostgreSQLValue.text(namespace)] + values,
                within: bound)
            if rows.count == 0 { try requireOwner() }
            return rows
        }

        private func requireOwner() throws { _ = try ownedRevision() }

        /// Returns the revision of the profile, as long as this opening has it.
        ///
        /// A server that knows only an earlier connection of this opening was replaced and does not
        /// know it yet. Its answers mean nothing, and the connection is given up.
        private func ownedRevision() throws -> StoredNumber {
            try server.use(line, timeout: request.environment.timeout, isWatched: true) {
                connection in
                let attempt = Int64(clamping: request.attempt)
                let rows = try connection.run(
                    .ownership,
                    [profile, token, request.owner.bytes, PostgreSQLValue.number(attempt)])
                if rows.isTrue(0, 0) {
                    return try rows.stored(0, 2, PostgreSQLHead.revisionName)
                }
                guard rows.isTrue(0, 1) else { throw Self.fenced }
                connection.interrupt()
                throw StorageError(
                    .unavailable,
                    "a server answers that another one has replaced; it should soon know, try again"
                )
            }
        }

        private var reading: PostgreSQLReading { PostgreSQLReading(read: read) }

        func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]? {
            try reading.value(of: key, in: space, of: namespace)
        }

        func scan(
            _ space: KeySpace, of namespace: String, prefix: [UInt8],
            _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
        ) throws {
            try reading.scan(space, of: namespace, prefix: prefix, visit)
        }

        // MARK: Writing

        func write(_ batch: ByteBatch, to namespace: String, durably: Bool) throws {
            var change = Change()
            for operation in batch.operations { change.add(operation, chunkBytes: Self.chunkBytes) }
            if change.mayHaveChunks {
                let values = change.putValues + change.removedValues + change.chunkValues
                try apply(.writeChunks, to: namespace, values)
            } else if change.removes {
                try apply(.write, to: namespace, change.putValues + change.removedValues)
            } else {
                try apply(.put, to: namespace, change.putValues)
            }
        }

        /// The server has already written everything that it acknowledged.
        func sync() throws { try requireOwner() }

        func destroy(_ namespace: String) throws { try apply(.destroy, to: namespace, []) }

        /// Removes everything in one step, whatever the namespaces are.
        func remove(_ namespaces: [String]) throws {
            let values = [profile, token, PostgreSQLValue.number(head.revision)]
            guard try change(.remove, values) else { throw try reasonOfRefusal() }
            server.end(request.owner, isKnown: true, timeout: request.environment.timeout)
        }

        /// Changes the profile, at the revision that this opening knows.
        private func apply(
            _ statement: PostgreSQLStatement, to namespace: String, _ values: [[UInt8]?]
        ) throws {
            let commit = CommitID.random().bytes
            let head = [
                profile, token, PostgreSQLValue.text(namespace),
                PostgreSQLValue.number(try self.head.next(commit)), commit,
            ]
            guard try change(statement, head + values) else { throw try reasonOfRefusal() }
            try self.head.advance()
        }

        /// Returns why a change was not applied: another owner has the profile, or the change did
        /// not follow its revision.
        private func reasonOfRefusal() throws -> StorageError {
            head.isNot(at: try ownedRevision())
        }

        /// A batch as columns.
        private struct Change {
            private var removedSpaces: [Int16] = [], removedKeys: [[UInt8]] = []
            private var spaces: [Int16] = [], keys: [[UInt8]] = [], inline: [[UInt8]] = []
            private var counts: [Int32] = []
            private var cleared: [[UInt8]] = []
            private var chunkKeys: [[UInt8]] = [], chunkNumbers: [Int32] = []
            private var chunks: [ArraySlice<UInt8>] = []

            /// Whether a value is cut, or one that was cut may be removed.
            var mayHaveChunks: Bool { !cleared.isEmpty }

            mutating func add(_ operation: ByteBatch.Operation, chunkBytes: Int) {
                switch operation {
                case .remove(let space, let key):
                    removedSpaces.append(Int16(space.rawValue))
                    removedKeys.append(key)
                    if space == .state { cleared.append(key) }
                case .put(let space, let key, let value):
                    spaces.append(Int16(space.rawValue))
                    keys.append(key)
                    if space == .state { cleared.append(key) }
                    guard space == .state, value.count > chunkBytes else {
                        inline.append(value)
                        return counts.append(0)
                    }
                    inline.append([])
                    counts.append(Int32((value.count + chunkBytes - 1) / chunkBytes))
                    for (number, start) in stride(from: 0, to: value.count, by: chunkBytes)
                        .enumerated()
                    {
                        chunkKeys.append(key)
                        chunkNumbers.append(Int32(number))
                        chunks.append(value[start..<min(start + chunkBytes, value.count)])
                    }
                }
            }

            var removes: Bool { !removedKeys.isEmpty }

            var removedValues: [[UInt8]?] {
                [PostgreSQLValue.shorts(removedSpaces), PostgreSQLValue.blobs(removedKeys)]
            }

            var putValues: [[UInt8]?] {
                [
                    PostgreSQLValue.shorts(spaces), PostgreSQLValue.blobs(keys),
                    PostgreSQLValue.blobs(inline), PostgreSQLValue.numbers(counts),
                ]
            }

            var chunkValues: [[UInt8]?] {
                [
                    PostgreSQLValue.blobs(cleared), PostgreSQLValue.blobs(chunkKeys),
                    PostgreSQLValue.numbers(chunkNumbers), PostgreSQLValue.slices(chunks),
                ]
            }
        }
    }
#endif
