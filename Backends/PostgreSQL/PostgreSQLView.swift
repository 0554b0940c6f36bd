#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines

    /// A profile as it was in one moment, beside its owner: a transaction that only reads, over a connection
    /// of its own. It delays no other, but the server keeps what it may still read until it ends.
    final class PostgreSQLView: EngineView {
        private let profile: [UInt8]
        private let server: PostgreSQLServer
        private let connection: PostgreSQLConnection
        /// That of the owner of the records that are seen; empty if there is no such profile.
        private let token: [UInt8]

        init(of profile: String, at server: PostgreSQLServer, within limit: Duration) throws {
            self.profile = PostgreSQLValue.text(profile)
            self.server = server
            let connection = try server.connect(within: limit)
            self.connection = connection
            token = try server.telling { [profile = self.profile] in
                try connection.within(limit) {
                    _ = try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    let format = try connection.run(
                        "SELECT max(version)::text FROM browser_sessions.format")
                    try PostgreSQLSchema.require(format.text(0, 0))
                    let owner = try connection.run(.token, [profile])
                    return owner.count == 0 ? [] : try owner.identifier(0, 0, "a token")
                }
            }
        }

        var interrupt: @Sendable () -> Void { { [connection] in connection.interrupt() } }

        func close() { connection.interrupt() }

        private var reading: PostgreSQLReading {
            PostgreSQLReading {
                [server, connection, profile, token] statement, partition, values, bound in
                try server.telling {
                    try connection.run(
                        statement, [profile, token, PostgreSQLValue.text(partition)] + values,
                        within: bound)
                }
            }
        }

        func value(of key: [UInt8], in space: KeySpace, of partition: String) throws -> [UInt8]? {
            if token.isEmpty { return nil }
            return try reading.value(of: key, in: space, of: partition)
        }

        func scan(
            _ space: KeySpace, of partition: String, prefix: [UInt8],
            _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
        ) throws {
            if token.isEmpty { return }
            try reading.scan(space, of: partition, prefix: prefix, visit)
        }
    }
#endif
