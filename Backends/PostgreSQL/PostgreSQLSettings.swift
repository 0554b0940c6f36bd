#if PostgreSQL
    internal import BrowserSessions

    /// What a connection is set to, and what its server must be set to.
    enum PostgreSQLSettings {
        /// Statements of this backend read by key alone, and few records at a time: plans are made once, and
        /// of indexes.
        private static let text = """
            SET jit = off; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;
            SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
            SELECT current_setting('fsync'), current_setting('full_page_writes'),
                current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
                (SELECT max(version) FROM browser_sessions.format);
            """

        /// Throws unless the server can keep what stores of this durability promise.
        static func apply(to connection: PostgreSQLConnection, for durability: Durability) throws {
            let found = try connection.run(text)
            try PostgreSQLSchema.require(found.text(0, 4))
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
