#if PostgreSQL
    internal import BrowserSessions
    internal import CPostgreSQL

    /// The tables of all profiles of a database.
    ///
    /// ```text
    /// format    the version of what follows, in one row
    /// owners    processes that have profiles, each with its lease by the server's clock
    /// profiles  the head of each profile: every change raises its revision, every connection of an
    ///           owner its epoch, and brings a token that no other one has
    /// records   what the store keeps: keys and values of a namespace
    /// chunks    values that are too large for one row
    /// overview  for people: the owner of each profile, and how much it holds
    /// ```
    /// Keys begin with the profile, and no statement changes two profiles, so the tables can be
    /// distributed over servers.
    enum PostgreSQLSchema {
        static let version: Int64 = 1
        static let missing =
            "the database has no schema browser_sessions; make it once with: sessionctl init --storage URL"

        /// Makes the schema, or upgrades it to this version. Existing content stays.
        static func make(at address: PostgreSQLAddress) throws(StorageError) {
            do {
                let (connection, _) = try address.connect(timeout: .seconds(30))
                do {
                    try make(over: connection)
                } catch let failure as PostgreSQLFailure where failure.isOfTwoAtOnce {
                    // Another process makes it too; this finishes what that leaves to do.
                    try make(over: connection)
                }
            } catch {
                throw PostgreSQLServer.error(error, at: address, changes: true)
            }
        }

        private static func make(over connection: PostgreSQLConnection) throws {
            try PostgreSQLCatalog.require(over: connection)
            let found = try connection.run(
                """
                SELECT to_regclass('browser_sessions.format'), to_regnamespace('browser_sessions')
                """)
            if found.bytes(0, 0) != nil {
                return try require(
                    connection.run("SELECT max(version) FROM browser_sessions.format").text(0, 0))
            }
            // One that is being made at this moment is an error, and is then handled like an
            // existing one.
            let schema = found.bytes(0, 1) == nil ? "CREATE SCHEMA browser_sessions;\n" : ""
            _ = try connection.run(schema + text)
        }

        /// Throws unless the version is this one.
        static func require(_ found: String?) throws(StorageError) {
            guard let found = found.flatMap({ Int64($0) }) else {
                throw StorageError(
                    .incompatibleFormat,
                    "the schema browser_sessions says no version; nothing was changed")
            }
            guard found == version else {
                throw StorageError(
                    .incompatibleFormat,
                    """
                    the schema browser_sessions has version \(found), and this program knows version \
                    \(version): update it; nothing was changed
                    """)
            }
        }

        /// The content of the schema. Several statements sent at once form one transaction.
        static let text = """
            CREATE TABLE browser_sessions.format (version int8 PRIMARY KEY);
            INSERT INTO browser_sessions.format VALUES (\(version));
            CREATE TABLE browser_sessions.owners (
                owner uuid PRIMARY KEY,
                host text NOT NULL,
                machine text NOT NULL,
                process int8 NOT NULL,
                started text NOT NULL,
                lease_until timestamptz NOT NULL);
            CREATE TABLE browser_sessions.profiles (
                profile text COLLATE "C" PRIMARY KEY,
                revision int8 NOT NULL DEFAULT 0,
                last_commit uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
                epoch int8 NOT NULL,
                token uuid NOT NULL,
                owner uuid,
                opening uuid NOT NULL,
                attempt int8 NOT NULL) WITH (fillfactor = 50);
            CREATE INDEX profiles_owner ON browser_sessions.profiles (owner) WHERE owner IS NOT NULL;
            CREATE TABLE browser_sessions.records (
                profile text COLLATE "C" NOT NULL,
                partition text COLLATE "C" NOT NULL,
                space int2 NOT NULL,
                key bytea NOT NULL,
                value bytea NOT NULL,
                chunks int4 NOT NULL,
                revision int8 NOT NULL,
                PRIMARY KEY (profile, partition, space, key)) WITH (fillfactor = 80);
            ALTER TABLE browser_sessions.records ALTER value SET STORAGE EXTERNAL;
            CREATE TABLE browser_sessions.chunks (
                profile text COLLATE "C" NOT NULL,
                partition text COLLATE "C" NOT NULL,
                key bytea NOT NULL,
                revision int8 NOT NULL,
                number int4 NOT NULL,
                bytes bytea NOT NULL,
                PRIMARY KEY (profile, partition, key, revision, number));
            ALTER TABLE browser_sessions.chunks ALTER bytes SET STORAGE EXTERNAL;
            CREATE VIEW browser_sessions.overview AS
                SELECT p.profile, p.revision, p.epoch, o.host, o.process,
                    o.lease_until, r.sessions, r.tabs, r.nodes, r.states, r.restore_points,
                    r.incognito_records,
                    r.bytes + coalesce(c.bytes, 0) AS bytes
                FROM browser_sessions.profiles p
                LEFT JOIN browser_sessions.owners o ON o.owner = p.owner
                LEFT JOIN LATERAL (
                    SELECT
                        count(*) FILTER (WHERE kind = ascii('s')) AS sessions,
                        count(*) FILTER (WHERE kind = ascii('t')) AS tabs,
                        count(*) FILTER (WHERE kind = ascii('n')) AS nodes,
                        count(*) FILTER (WHERE kind = ascii('x')) AS states,
                        count(*) FILTER (WHERE kind = ascii('g')) AS restore_points,
                        count(*) FILTER (WHERE partition LIKE 'incognito-%') AS incognito_records,
                        coalesce(sum(octet_length(key) + octet_length(value)), 0) AS bytes
                    FROM (
                        SELECT *, CASE WHEN space = 109 AND partition LIKE 'regular-%'
                            THEN get_byte(key, 0) END AS kind
                        FROM browser_sessions.records WHERE profile = p.profile) AS all_records
                    ) r ON true
                LEFT JOIN LATERAL (
                    SELECT sum(octet_length(bytes)) AS bytes FROM browser_sessions.chunks
                    WHERE profile = p.profile) c ON true;
            """
    }

    extension PostgreSQLFailure {
        /// Whether an object that was being made already existed.
        fileprivate var isOfTwoAtOnce: Bool { ["23505", "42P06", "42P07"].contains(state) }
    }
#endif
