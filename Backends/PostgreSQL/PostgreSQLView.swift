#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines

    /// A profile as it was at one moment, beside its owner: a read-only transaction on a connection
    /// of its own. It delays no other, but the server keeps what it may still read until it ends.
    final class PostgreSQLView: EngineView {
        private let profile: [UInt8]
        private let server: PostgreSQLServer
        private let connection: PostgreSQLConnection
        /// The token of the owner of the visible records; empty if there is no such profile.
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
                [server, connection, profile, token] statement, namespace, values, bound in
                try server.telling {
                    try connection.run(
                        statement, [profile, token, PostgreSQLValue.text(namespace)] + values,
                        within: bound)
                }
            }
        }

        func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]? {
            if token.isEmpty { return nil }
            return try reading.value(of: key, in: space, of: namespace)
        }

        func scan(
            _ space: KeySpace, of namespace: String, prefix: [UInt8],
            _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
        ) throws {
            if token.isEmpty { return }
            try reading.scan(space, of: namespace, prefix: prefix, visit)
        }
    }
#endif
