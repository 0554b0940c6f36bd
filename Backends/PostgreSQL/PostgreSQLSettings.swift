#if PostgreSQL
    internal import BrowserSessions

    /// What a connection has in its process of the server.
    struct PostgreSQLSession: Sendable {
        var process: Int32 = 0
        /// What stores over the connection promise.
        var durability = Durability.processCrash
        /// The names of prepared statements.
        var prepared: Set<String> = []

        /// An expression that names the first setting with which less would be kept: one that a
        /// reload may change and no `SET` holds. NULL if there is none.
        var weakness: String {
            """
            (CASE WHEN pg_backend_pid() <> \(process) THEN 'pool_mode'
                WHEN \(durability < .powerLoss) THEN NULL
                WHEN current_setting('fsync') <> 'on' THEN 'fsync'
                WHEN current_setting('full_page_writes') <> 'on' THEN 'full_page_writes'
                WHEN \(durability < .replicated) THEN NULL
                WHEN current_setting('synchronous_standby_names') = ''
                    OR current_setting('max_wal_senders') = '0' THEN 'synchronous_standby_names' END)
            """
        }
    }

    /// The settings of a connection, and those that its server must have.
    enum PostgreSQLSettings {
        /// Everything is set, whatever it is now, so that no reload changes it.
        ///
        /// `client_connection_check_interval` makes a server notice that its client is gone.
        /// Otherwise connections that wait for a lock would soon be all that it has. Older servers do not know
        /// this setting. A commit that waits for a standby is ended neither by it nor by `statement_timeout`
        /// (PostgreSQL 18.6, findings/postgresql-commit-limits.sh).
        ///
        /// Our statements read by key alone, and few records at a time: plans are made once, and
        /// use indexes.
        private static func text(_ session: PostgreSQLSession, _ timeout: Duration) -> String {
            let limit = max(1, timeout.milliseconds)
            return """
                SET jit = off; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;
                SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
                SELECT set_config('synchronous_commit', CASE
                    WHEN setting = 'remote_apply' THEN setting
                    WHEN setting = 'off' OR \(session.durability >= .replicated) THEN 'on'
                    ELSE setting END, false) FROM pg_settings WHERE name = 'synchronous_commit';
                SELECT set_config(name, CASE WHEN setting::int8 BETWEEN 1 AND \(limit) THEN setting
                    ELSE '\(limit)' END, false) FROM pg_settings WHERE name = 'statement_timeout';
                SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval';
                SELECT (SELECT max(version) FROM browser_sessions.format), \(session.weakness);
                """
        }

        /// Throws unless the server can keep what stores of this durability promise.
        ///
        /// - Parameter timeout: how long a statement may take; after that, its caller does not
        ///   wait any more.
        static func apply(
            to connection: PostgreSQLConnection, for durability: Durability, _ timeout: Duration
        ) throws {
            try PostgreSQLCatalog.require(over: connection)
            connection.session.durability = durability
            let found = try connection.run(text(connection.session, timeout))
            try PostgreSQLSchema.require(found.text(0, 0))
            try require(found, 1)
        }

        /// Throws if a server has answered that it keeps less than stores promise.
        ///
        /// - Parameter column: of the first row, with ``PostgreSQLSession/weakness``.
        static func require(
            _ rows: PostgreSQLRows, _ column: Int, effect: StorageError.Effect = .notApplied
        ) throws(StorageError) {
            guard rows.bytes(0, column) != nil else { return }
            let advice =
                switch rows.text(0, column) {
                case "pool_mode": pooled
                case "synchronous_standby_names":
                    """
                    the server waits for no standby (synchronous_standby_names is empty, or max_wal_senders \
                    is 0), so it alone has what it acknowledges; set it, or open without durability=replicated
                    """
                case let name:
                    """
                    the server runs with \(name == "fsync" ? "fsync" : "full_page_writes") = off, so a power \
                    cut may take what it acknowledges; turn it on, or open with durability=processCrash
                    """
                }
            throw StorageError(.unsupported, advice, effect: effect)
        }

        static let pooled = """
            a pooler gives each transaction another connection of the server, which keeps no settings; \
            connect to the server itself, or let the pooler keep sessions (PgBouncer: pool_mode = session)
            """
    }
#endif
