#if PostgreSQL
    import BrowserSessions
    import Foundation
    @testable import PostgreSQLBackend
    import StorageConformance
    import Testing

    /// The server that the tests were started with; see `.ci/postgresql`.
    enum TestServer {
        /// Its database as the owner of the tables has it; `nil` without a server.
        static let url = ProcessInfo.processInfo.environment["POSTGRESQL_TEST_URL"]
        static let isThere = url != nil

        /// What follows the scheme, up to the parameters.
        static var address: String {
            url.map { String($0.prefix { $0 != "?" }.drop { $0 != ":" }.dropFirst()) } ?? ""
        }

        /// Whether a proxy can stand before it: it is one server, and on this machine.
        static let isSingle = isThere && parameters["host"]?.contains(",") == false

        /// What libpq gets for the owner of the tables.
        static var parameters: [String: String] {
            (try? PostgreSQLAddress(StorageConfiguration(location: address)).parameters) ?? [:]
        }

        /// A proxy before it.
        static func proxy() throws -> LoopbackProxy {
            try LoopbackProxy(to: .port(UInt16(parameters["port"] ?? "5432") ?? 5432))
        }

        /// A location with other parts than those of the owner of the tables.
        static func location(
            user: String? = nil, port: UInt16? = nil, database: String? = nil,
            profile: String? = nil
        ) throws -> String {
            try isPrepared.get()
            let given = parameters
            let userName = user ?? given["user"] ?? ""
            let portText = port.map { "\($0)" } ?? given["port"] ?? "5432"
            let databaseName = database ?? given["dbname"] ?? ""
            return "//\(userName)@\(given["host"] ?? ""):\(portText)/\(databaseName)/"
                + (profile ?? UUID().uuidString)
        }

        /// A configuration over a proxy, which must be able to read along.
        static func configuration(over proxy: LoopbackProxy, profile: String? = nil) throws
            -> StorageConfiguration
        {
            guard case .port(let port) = proxy.endpoint else { throw POSIXError(.EINVAL) }
            return StorageConfiguration(
                location: try location(port: port, profile: profile),
                options: ["sslmode": .text("disable"), "gssencmode": .text("disable")])
        }

        /// Makes the tables, once.
        static let isPrepared: Result<Void, StorageError> = Result {
            () throws(StorageError) in
            try StorageBackend.postgreSQL.prepareBlocking(StorageConfiguration(location: address))
        }

        /// A new profile.
        static func profile() throws -> String {
            try isPrepared.get()
            return "\(address)/\(UUID().uuidString)"
        }

        /// Runs statements as the superuser, or as the user of the location; returns the rows' first column.
        @discardableResult
        static func run(_ text: String, at location: String? = nil) throws -> [String?] {
            let rows = try connection(at: location).run(text)
            return (0..<rows.count).map { rows.text($0, 0) }
        }

        /// Sets it for the whole server, which minds it when this returns.
        static func set(_ setting: String, to value: String, at location: String? = nil) throws {
            try run("ALTER SYSTEM SET \(setting) = '\(value)'", at: location)
            try run("SELECT pg_reload_conf()", at: location)
            try wait(until: "current_setting('\(setting)') = '\(value)'", at: location)
        }

        /// A connection of the superuser, or of the user of the location.
        static func connection(at location: String? = nil) throws -> PostgreSQLConnection {
            let admin = ProcessInfo.processInfo.environment["POSTGRESQL_TEST_ADMIN_URL"] ?? ""
            let place = location ?? String(admin.drop { $0 != ":" }.dropFirst())
            let address = try PostgreSQLAddress(StorageConfiguration(location: place))
            return try address.connect(timeout: .seconds(20)).0
        }

        /// Blocks in the server until a condition holds, half a minute at most.
        static func wait(until condition: String, at location: String? = nil) throws {
            try run(
                """
                SET statement_timeout = '30s';
                DO $wait$ BEGIN
                    WHILE NOT (\(condition)) LOOP
                        -- waits: the server reports its locks, settings and connections to no client
                        PERFORM pg_sleep(0.005), pg_stat_clear_snapshot();
                    END LOOP;
                END $wait$
                """, at: location)
        }

        /// Returns when they have ended.
        static func endConnections(of user: String) throws {
            try run(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE usename = '\(user)'
                """)
        }

        static func name(of location: String) -> String {
            location.split(separator: "/").last.map(String.init) ?? ""
        }

        /// Lets others have a profile although somebody has it, as when the lease of its owner is over.
        static func takeOver(_ location: String) throws {
            try run(
                "UPDATE browser_sessions.profiles SET owner = NULL WHERE profile = '\(name(of: location))'"
            )
        }

        static func remove(_ location: String) throws {
            for table in ["records", "chunks", "profiles"] {
                try run(
                    "DELETE FROM browser_sessions.\(table) WHERE profile = '\(name(of: location))'")
            }
        }
    }
#endif
