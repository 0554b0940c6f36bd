#if PostgreSQL
    internal import BrowserSessions

    /// The settings of a connection, and those that its server must have.
    enum PostgreSQLSettings {
        /// Our statements read by key alone, and few records at a time: plans are made once, and
        /// use indexes.
        private static func text(_ timeout: Duration) -> String {
            """
            SET jit = off; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;
            SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
            SELECT set_config('statement_timeout', '\(max(1, timeout.milliseconds))', false)
                FROM pg_settings WHERE name = 'statement_timeout'
                AND (setting = '0' OR setting::int8 > \(max(1, timeout.milliseconds)));
            SELECT current_setting('fsync'), current_setting('full_page_writes'),
                current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
                (SELECT max(version) FROM browser_sessions.format);
            """
        }

        /// Makes a server notice that its client is gone. Otherwise connections that wait for a
        /// lock or a standby would soon be all that it has. Older servers do not know this setting.
        private static let noticing = "SET client_connection_check_interval = 1000"

        /// Throws unless the server can keep what stores of this durability promise.
        ///
        /// - Parameter timeout: how long a statement may take; after that, its caller does not
        ///   wait any more.
        static func apply(
            to connection: PostgreSQLConnection, for durability: Durability, _ timeout: Duration
        ) throws {
            try PostgreSQLCatalog.require(over: connection)
            let found = try connection.run(text(timeout))
            try PostgreSQLSchema.require(found.text(0, 4))
            _ = try? connection.run(noticing)
            guard durability >= .powerLoss else { return }
            for (column, name) in ["fsync", "full_page_writes"].enumerated()
            where found.text(0, column) != "on" {
                throw StorageError(
                    .unsupported,
                    """
                    the server runs with \(name) = off, so nothing that it acknowledges must survive a power \
                    cut; turn it on, or open with the option durability=processCrash
                    """)
            }
            let commit = found.text(0, 2) ?? ""
            if durability < .replicated {
                if commit == "off" { _ = try connection.run("SET synchronous_commit = on") }
                return
            }
            guard found.text(0, 3)?.isEmpty == false else {
                throw StorageError(
                    .unsupported,
                    """
                    the server has no synchronous standbys (synchronous_standby_names is empty), so it alone \
                    has what it acknowledges; set them up, or open without durability=replicated
                    """)
            }
            if !["on", "remote_apply"].contains(commit) {
                _ = try connection.run("SET synchronous_commit = on")
            }
        }
    }
#endif
