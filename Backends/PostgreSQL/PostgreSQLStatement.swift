#if PostgreSQL
    /// A statement with a name of its own, under which each connection prepares it once.
    struct PostgreSQLStatement: Sendable {
        let name: String
        let text: String

        init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

        /// Stands in texts for ``PostgreSQLSession/weakness``.
        static let mark = "{weakness}"
    }

    // Values: $1 profile, $2 token, $3 namespace where there is one. Each statement sees the
    // database, including the token, at one moment. The epoch alone could be the same by chance on
    // a server that was replaced, such as a frozen one.
    extension PostgreSQLStatement {
        /// The server's time in milliseconds.
        private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::int8"

        /// Takes a profile that has no owner. $1 profile, $2 owner, $3 opening, $4 owners known to
        /// be dead, $5 openings that were given up, $6 the server time in milliseconds from which
        /// on it is too late, $7 token.
        ///
        /// The statement cannot see the lease of an owner that came while it waited for the row:
        /// the next turn checks it.
        static let take = PostgreSQLStatement(
            "take",
            """
            INSERT INTO browser_sessions.profiles AS p (profile, owner, opening, attempt, epoch, token)
            SELECT $1::text, $2::uuid, $3::uuid, 0, 1, $7::uuid WHERE \(now) < $6::int8
            ON CONFLICT (profile) DO UPDATE SET
                owner = excluded.owner, opening = excluded.opening, attempt = 0, epoch = p.epoch + 1,
                token = excluded.token
            WHERE \(now) < $6 AND (
                p.owner IS NULL OR p.owner = ANY ($4::uuid[]) OR p.opening = ANY ($5::uuid[])
                OR p.owner = (SELECT q.owner FROM browser_sessions.profiles q WHERE q.profile = $1)
                AND NOT EXISTS (
                    SELECT FROM browser_sessions.owners o
                    WHERE o.owner = p.owner AND o.lease_until > clock_timestamp()))
            RETURNING revision, last_commit
            """)

        /// Takes a profile again. $1 profile, $2 owner, $3 opening, $4 attempt, $5 token.
        static let takeAgain = PostgreSQLStatement(
            "take_again",
            """
            UPDATE browser_sessions.profiles SET owner = $2, attempt = $4, epoch = epoch + 1, token = $5
            WHERE profile = $1 AND opening = $3 AND attempt < $4
            RETURNING revision, \(mark), last_commit
            """)

        /// Returns the owner of a profile. $1 profile.
        static let holder = PostgreSQLStatement(
            "holder",
            """
            SELECT o.owner, o.host, o.machine, o.process, o.started,
                greatest(0, ceil(extract(epoch FROM o.lease_until - clock_timestamp())))::int8
            FROM browser_sessions.profiles p JOIN browser_sessions.owners o ON o.owner = p.owner
            WHERE p.profile = $1
            """)

        /// Returns what the server does not keep any more.
        static let weakness = PostgreSQLStatement("weakness", "SELECT \(mark)")

        /// Announces a process; returns the server's time, the version of the schema, and what the
        /// server does not keep any more. $1 owner,
        /// $2 host, $3 machine, $4 process, $5 started, $6 lease in milliseconds.
        ///
        /// It does not wait for a standby: all profiles of a process would wait behind the first
        /// one, and a lost lease costs only time.
        static let present = PostgreSQLStatement(
            "present",
            """
            WITH here AS MATERIALIZED (SELECT set_config('synchronous_commit', 'local', true))
            INSERT INTO browser_sessions.owners (owner, host, machine, process, started, lease_until)
            SELECT $1::uuid, $2::text, $3::text, $4::int8, $5::text,
                clock_timestamp() + $6::int8 * interval '1 millisecond'
            FROM here
            ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until
            RETURNING \(now), (SELECT max(version)::text FROM browser_sessions.format), \(mark)
            """)

        /// Removes an owner that has nothing any more. $1 owner.
        ///
        /// It does not wait for the disk: a row that comes back is removed later by a sweep.
        static let leave = PostgreSQLStatement(
            "leave",
            """
            WITH here AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
            DELETE FROM browser_sessions.owners o USING here
            WHERE o.owner = $1 AND NOT EXISTS (
                SELECT FROM browser_sessions.profiles p WHERE p.owner = $1)
            """)

        /// Removes owners that did not renew for a day and have nothing. There are few: `OFFSET`
        /// keeps the server from joining them with all profiles.
        static let sweep = PostgreSQLStatement(
            "sweep",
            """
            DELETE FROM browser_sessions.owners o
            WHERE o.lease_until < clock_timestamp() - interval '1 day' AND NOT EXISTS (
                SELECT FROM browser_sessions.profiles p WHERE p.owner = o.owner OFFSET 0)
            """)

        /// Releases openings that were given up and that will not take their profile again. $1
        /// owner, $2 openings.
        static let giveUp = PostgreSQLStatement(
            "give_up",
            """
            UPDATE browser_sessions.profiles SET owner = NULL, attempt = \(Int64.max)
            WHERE owner = $1 AND opening = ANY ($2::uuid[])
            """)

        /// Releases a profile. Removes one that never had another owner and to which nothing was
        /// ever written. (After another owner, its epoch must not restart.)
        static let release = PostgreSQLStatement(
            "release",
            """
            WITH unused AS (
                DELETE FROM browser_sessions.profiles
                WHERE profile = $1 AND token = $2 AND epoch = 1 AND revision = 0)
            UPDATE browser_sessions.profiles SET owner = NULL
            WHERE profile = $1 AND token = $2 AND (epoch > 1 OR revision > 0)
            """)

        /// Returns the owner of a profile, as its owners know it. $1 profile, $2 token, $3 opening,
        /// $4 attempt.
        static let ownership = PostgreSQLStatement(
            "ownership",
            """
            SELECT token = $2, opening = $3 AND attempt < $4, revision
            FROM browser_sessions.profiles WHERE profile = $1
            """)

        /// The token of the last or current owner. $1 profile.
        static let token = PostgreSQLStatement(
            "token", "SELECT token FROM browser_sessions.profiles WHERE profile = $1")

        private static let isOwner =
            "(SELECT token FROM browser_sessions.profiles WHERE profile = $1) = $2"

        /// $4 space, $5 key.
        static let value = PostgreSQLStatement(
            "value",
            """
            SELECT value, chunks, revision FROM browser_sessions.records
            WHERE \(isOwner) AND profile = $1 AND partition = $3 AND space = $4 AND key = $5
            """)

        /// $4 key, $5 revision.
        static let chunks = PostgreSQLStatement(
            "chunks",
            """
            SELECT bytes FROM browser_sessions.chunks
            WHERE \(isOwner) AND profile = $1 AND partition = $3 AND key = $4 AND revision = $5
            ORDER BY number
            """)

        /// $4 space, $5 the first key, $6 the first key after the range, $7 how many.
        static let scan = PostgreSQLStatement(
            "scan",
            """
            SELECT key, value, chunks, revision FROM browser_sessions.records
            WHERE \(isOwner) AND profile = $1 AND partition = $3 AND space = $4 AND key >= $5
                AND ($6::bytea IS NULL OR key < $6)
            ORDER BY key LIMIT $7
            """)

        private static let head = """
            WITH head AS (
                UPDATE browser_sessions.profiles SET revision = $4::int8 + 1, last_commit = $5
                WHERE profile = $1 AND token = $2 AND revision = $4::int8 AND \(mark) IS NULL
                RETURNING profile, revision)
            """

        private static let written = """
            , written AS (
                INSERT INTO browser_sessions.records
                    (profile, partition, space, key, value, chunks, revision)
                SELECT head.profile, $3, g.space, g.key, g.value, g.chunks, head.revision
                FROM head, unnest($6::int2[], $7::bytea[], $8::bytea[], $9::int4[])
                    AS g(space, key, value, chunks)
                ON CONFLICT (profile, partition, space, key) DO UPDATE SET
                    value = excluded.value, chunks = excluded.chunks, revision = excluded.revision)
            """

        private static let removed = """
            , removed AS (
                DELETE FROM browser_sessions.records r
                USING head, unnest($10::int2[], $11::bytea[]) AS g(space, key)
                WHERE r.profile = head.profile AND r.partition = $3
                    AND r.space = g.space AND r.key = g.key)
            """

        private static let cut = """
            , cleared AS (
                DELETE FROM browser_sessions.chunks c USING head, unnest($12::bytea[]) AS g(key)
                WHERE c.profile = head.profile AND c.partition = $3 AND c.key = g.key
                    AND c.revision < head.revision),
            cut AS (
                INSERT INTO browser_sessions.chunks
                    (profile, partition, key, revision, number, bytes)
                SELECT head.profile, $3, g.key, head.revision, g.number, g.bytes
                FROM head, unnest($13::bytea[], $14::int4[], $15::bytea[]) AS g(key, number, bytes))
            """

        /// Whether the change was applied, and what forbade it if that was the server.
        private static let answer = "\nSELECT count(*), \(mark) FROM head"

        /// $4 revision, $5 commit, $6 … $9 the puts.
        static let put = PostgreSQLStatement("put", head + written + answer)

        /// The same with $10 $11, the removals.
        static let write = PostgreSQLStatement("write", head + written + removed + answer)

        /// The same where values may be in chunks: $12 keys that lose their old chunks, $13 … $15
        /// new chunks.
        static let writeChunks = PostgreSQLStatement(
            "write_chunks", head + written + removed + cut + answer)

        /// $4 revision, $5 commit.
        static let destroy = PostgreSQLStatement(
            "destroy",
            head + """
                , records AS (
                    DELETE FROM browser_sessions.records r USING head
                    WHERE r.profile = head.profile AND r.partition = $3),
                chunks AS (
                    DELETE FROM browser_sessions.chunks c USING head
                    WHERE c.profile = head.profile AND c.partition = $3)
                """ + answer)

        /// Removes a profile with everything in it. $3 revision.
        static let remove = PostgreSQLStatement(
            "remove",
            """
            WITH head AS (
                DELETE FROM browser_sessions.profiles
                WHERE profile = $1 AND token = $2 AND revision = $3::int8 AND \(mark) IS NULL
                RETURNING profile),
            records AS (
                DELETE FROM browser_sessions.records r USING head WHERE r.profile = head.profile),
            chunks AS (
                DELETE FROM browser_sessions.chunks c USING head WHERE c.profile = head.profile)
            """ + answer)
    }
#endif
