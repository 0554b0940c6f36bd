#if PostgreSQL
    import BrowserSessions
    @testable import PostgreSQLBackend
    import Expectations

    extension ServerTests {
        /// What others do in the same database, with the rights that PostgreSQL 14 gives to all.
        @Suite("neighbors", .timeLimit(.minutes(10)))
        struct NeighborTests {
            private let backend = StorageBackend.postgreSQL

            /// Everything that a store does.
            private func use(_ configuration: StorageConfiguration) async throws {
                try await backend.prepare(configuration)
                for turn in 1...2 {
                    let store = try await backend.open(configuration)
                    try await store.save(tabs: 1 + turn)
                    try await store.save(tabs: turn)
                    _ = try await store.check()
                    try await store.close()
                }
                var viewed = configuration
                viewed.options["access"] = .text("readOnly")
                let view = try await backend.open(viewed)
                expect(try await view.tabs() == 2)
                try await view.close()
                expect(try await backend.remove(configuration))
            }

            /// An operator that fits better than the server's own would be run with our rights; and where a
            /// database looks into `public` first, so would whatever has a name that we use.
            @Test(arguments: ["", "public, pg_catalog"])
            func operatorsOfOthersAreNotRun(path: String) async throws {
                let database = try NeighborDatabase()
                defer { database.drop() }
                try database.layTraps()
                if !path.isEmpty {
                    try database.run(
                        "ALTER DATABASE \(database.name) SET search_path = \(path)")
                }
                try await use(database.configuration())
                expect(try database.run("SELECT who FROM public.caught") == [])
                // So they are caught where the server's own are not asked first.
                for use in NeighborDatabase.uses {
                    try database.run("SET search_path = public, pg_catalog; SELECT \(use)")
                }
                let caught = try database.run("SELECT who FROM public.caught")
                expect(caught.count, is: NeighborDatabase.uses.count)
            }

            /// A database or a role may be set to anything.
            @Test func settingsOfOthers() async throws {
                let database = try NeighborDatabase()
                defer { database.drop() }
                let settings = [
                    ("search_path", "public, pg_catalog", "pg_catalog, pg_temp"),
                    ("client_min_messages", "error", "warning"), ("row_security", "on", "off"),
                    ("standard_conforming_strings", "off", "on"), ("lock_timeout", "1", "0"),
                    ("client_encoding", "LATIN1", "UTF8"),
                    ("default_transaction_isolation", "serializable", nil),
                    ("default_transaction_deferrable", "on", nil), ("bytea_output", "escape", nil),
                    ("IntervalStyle", "sql_standard", nil), ("DateStyle", "SQL, DMY", nil),
                    ("quote_all_identifiers", "on", nil), ("transform_null_equals", "on", nil),
                    ("synchronous_commit", "off", nil),
                ]
                for (name, value, _) in settings {
                    let list = name == "search_path" ? value : "'\(value)'"
                    try database.run("ALTER DATABASE \(database.name) SET \(name) = \(list)")
                }
                try await use(database.configuration())
                let connection = try TestServer.connection(at: database.location)
                for (name, _, wanted) in settings {
                    guard let wanted else { continue }
                    let rows = try connection.run("SELECT current_setting('\(name)')")
                    expect(rows.text(0, 0)?.replacing("\"", with: ""), is: wanted, "\(name)")
                }
            }

            /// The owner of the schema would see, change and run what he likes.
            @Test func aSchemaThatSomebodyElseMade() async throws {
                let database = try NeighborDatabase()
                defer { database.drop() }
                let hostile = database.hostile.name
                try database.run("GRANT CREATE ON DATABASE \(database.name) TO \(hostile)")
                let configuration = database.configuration()
                // The schema alone, open to all; then with all tables, and us as a member of its owner.
                try database.run(
                    "CREATE SCHEMA browser_sessions; GRANT ALL ON SCHEMA browser_sessions TO PUBLIC",
                    as: hostile)
                for isWhole in [false, true] {
                    if isWhole {
                        try database.run(PostgreSQLSchema.text, as: hostile)
                        try database.run(
                            "GRANT ALL ON ALL TABLES IN SCHEMA browser_sessions TO PUBLIC",
                            as: hostile)
                        try database.run("GRANT \(hostile) TO \(database.owner)")
                    }
                    for error in [
                        await backend.refusal(of: configuration),
                        await failure { () throws(StorageError) in
                            try await backend.prepare(configuration)
                        },
                    ] {
                        expect(error?.message.contains("'\(hostile)'"), is: true)
                        expect(error?.code, is: .permissionDenied)
                    }
                }
                expect(try database.run("SELECT FROM browser_sessions.owners").isEmpty)
                expect(try database.run("SELECT FROM browser_sessions.profiles").isEmpty)
            }

            /// What stands in place of our tables, or acts when they are used.
            @Test(arguments: [
                ("ALTER TABLE browser_sessions.records OWNER TO HOSTILE", "HOSTILE"),
                (
                    """
                    ALTER TABLE browser_sessions.owners RENAME TO hidden;
                    CREATE VIEW browser_sessions.owners AS TABLE browser_sessions.hidden
                    """, "is no table"
                ),
                (
                    """
                    CREATE RULE copied AS ON INSERT TO browser_sessions.records
                        DO ALSO INSERT INTO public.caught VALUES (NEW.profile)
                    """, "has rules"
                ),
                (
                    """
                    CREATE TRIGGER caught BEFORE INSERT ON browser_sessions.records
                        FOR EACH ROW EXECUTE FUNCTION public.catch()
                    """, "has triggers"
                ),
                ("ALTER TABLE browser_sessions.chunks ENABLE ROW LEVEL SECURITY", "row security"),
                ("ALTER TABLE browser_sessions.records SET UNLOGGED", "is not logged"),
                (
                    """
                    CREATE DOMAIN public.number AS int8 CHECK (public.passes(VALUE));
                    ALTER TABLE browser_sessions.profiles ALTER attempt TYPE public.number
                    """, "has a type"
                ),
            ])
            func tablesThatAreNotAsWeMakeThem(change: String, finding: String) async throws {
                let database = try NeighborDatabase()
                defer { database.drop() }
                try database.layTraps()
                let configuration = database.configuration()
                try await backend.prepare(configuration)
                let hostile = database.hostile.name
                try database.run(change.replacing("HOSTILE", with: hostile))
                try database.run("TRUNCATE public.caught")
                for error in [
                    await backend.refusal(of: configuration),
                    await failure { () throws(StorageError) in
                        try await backend.prepare(configuration)
                    },
                ] {
                    let words = finding.replacing("HOSTILE", with: hostile)
                    expect(error?.message.contains(words), is: true, "\(error as Any)")
                    expect([.permissionDenied, .incompatibleFormat].contains(error?.code))
                }
                expect(try database.run("SELECT who FROM public.caught") == [])
                expect(try database.run("SELECT FROM browser_sessions.profiles").isEmpty)
            }

            /// Rows that are hidden from a user are not rows that are not there, also if that begins later.
            @Test func rowSecurityThatBeginsLater() async throws {
                let role = try Role("LOGIN")
                defer { role.drop() }
                let database = try NeighborDatabase()
                defer { database.drop() }
                try await backend.prepare(database.configuration())
                try role.grantAll(at: database.location)
                let configuration = database.configuration(user: role.name)
                let store = try await backend.open(configuration)
                try await store.save(tabs: 3)
                try database.run("ALTER TABLE browser_sessions.records ENABLE ROW LEVEL SECURITY")
                let error = await failure { () throws(StorageError) in
                    _ = try await store.restore(Samples.id)
                }
                expect(error?.code, is: .permissionDenied)
                try database.run("ALTER TABLE browser_sessions.records DISABLE ROW LEVEL SECURITY")
                expect(try await store.tabs() == 3)
                try await store.close()
            }
        }
    }
#endif
