#if PostgreSQL
    internal import BrowserSessions

    /// Compares the objects in our schema with those that we make, before anything of them is read
    /// or written.
    ///
    /// The owner of a table, and anyone who may add a trigger to it, can run code with the rights
    /// of every user of that table. So only those who control the database anyway may own one: this
    /// user, the database's owner and superusers. Membership of this user in another role proves
    /// nothing, because every role can make others its members.
    enum PostgreSQLCatalog {
        /// One row for each difference: the object, what it is, and its owner.
        private static let differences = """
            WITH trusted AS (
                SELECT r.oid FROM pg_catalog.pg_roles r
                WHERE r.rolsuper OR r.rolname IN (current_user, session_user, 'pg_database_owner')
                    OR r.oid = (
                        SELECT d.datdba FROM pg_catalog.pg_database d
                        WHERE d.datname = pg_catalog.current_database())),
            home AS (
                SELECT n.oid, n.nspowner AS owner FROM pg_catalog.pg_namespace n
                WHERE n.nspname = 'browser_sessions'),
            ours AS (
                SELECT c.* FROM pg_catalog.pg_class c JOIN home ON home.oid = c.relnamespace
                WHERE c.relname IN ('format', 'owners', 'profiles', 'records', 'chunks'))
            SELECT 'browser_sessions', 'owner', pg_catalog.pg_get_userbyid(owner) FROM home
                WHERE owner NOT IN (SELECT oid FROM trusted)
            UNION ALL
            SELECT relname, 'owner', pg_catalog.pg_get_userbyid(relowner) FROM ours
                WHERE relowner NOT IN (SELECT oid FROM trusted)
            UNION ALL
            SELECT relname, 'is no table', '' FROM ours WHERE relkind NOT IN ('r', 'p')
            UNION ALL
            SELECT relname, 'is not logged, so a crash empties it', '' FROM ours WHERE relpersistence <> 'p'
            UNION ALL
            SELECT relname, 'has rules', '' FROM ours WHERE relhasrules
            UNION ALL
            SELECT relname, 'has row security', '' FROM ours WHERE relrowsecurity
            UNION ALL
            SELECT relname, 'has triggers', '' FROM ours WHERE EXISTS (
                SELECT FROM pg_catalog.pg_trigger t
                WHERE t.tgrelid = ours.oid AND NOT t.tgisinternal)
            UNION ALL
            SELECT relname, 'has a type that is not the server''s', '' FROM ours WHERE EXISTS (
                SELECT FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                WHERE a.attrelid = ours.oid AND a.attnum > 0
                    AND t.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace)
            LIMIT 1
            """

        /// Throws if there is anything that we do not make. A missing object is not a difference.
        static func require(over connection: PostgreSQLConnection) throws {
            let rows = try connection.run(differences)
            guard rows.count > 0 else { return }
            let object = rows.shown(0, 0)
            let name = object == "browser_sessions" ? object : "browser_sessions.\(object)"
            guard rows.text(0, 1) != "owner" else {
                throw StorageError(
                    .permissionDenied,
                    """
                    '\(name)' belongs to the role '\(rows.shown(0, 2))', which is neither this user nor \
                    the database's owner nor a superuser, and could run code of its own with this user's \
                    rights; nothing was read or written: let one of these make the schema, or give it to one \
                    with ALTER … OWNER TO
                    """)
            }
            throw StorageError(
                .incompatibleFormat,
                """
                '\(name)' is not as this program makes it: it \(rows.shown(0, 1)); nothing was read or written
                """)
        }
    }
#endif
