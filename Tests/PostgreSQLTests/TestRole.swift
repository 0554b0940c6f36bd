#if PostgreSQL
    /// A user of a test's own.
    struct Role {
        let name = "role_\(UInt64.random(in: 0 ... .max))"

        init(_ attributes: String) throws {
            try TestServer.isPrepared.get()
            try TestServer.run("CREATE ROLE \(name) \(attributes)")
        }

        /// What the documentation lists.
        func grantAll(at location: String? = nil) throws {
            try TestServer.run(
                """
                GRANT USAGE ON SCHEMA browser_sessions TO \(name);
                GRANT SELECT ON ALL TABLES IN SCHEMA browser_sessions TO \(name);
                GRANT INSERT, UPDATE, DELETE ON browser_sessions.owners, browser_sessions.profiles,
                    browser_sessions.records, browser_sessions.chunks TO \(name)
                """, at: location)
        }

        /// Removes it, and ends its connections.
        func drop() {
            try? TestServer.endConnections(of: name)
            _ = try? TestServer.run("DROP OWNED BY \(name); DROP ROLE \(name)")
        }
    }

    /// Does something whenever a record of a profile is written.
    struct Trigger {
        private let name = "trigger_\(UInt64.random(in: 0 ... .max))"

        init(of profile: String, _ action: String) throws {
            try TestServer.run(
                """
                CREATE FUNCTION browser_sessions.\(name)() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN \(action); END $$;
                CREATE TRIGGER \(name) BEFORE INSERT OR UPDATE ON browser_sessions.records
                    FOR EACH ROW WHEN (NEW.profile = '\(profile)')
                    EXECUTE FUNCTION browser_sessions.\(name)()
                """)
        }

        func drop() {
            _ = try? TestServer.run("DROP FUNCTION browser_sessions.\(name) CASCADE")
        }
    }
#endif
