#if PostgreSQL
    import BrowserSessions

    /// A database of a test, in which a role that is no friend of ours may do what PostgreSQL 14 allows.
    struct NeighborDatabase {
        let name = "neighbors_\(UInt64.random(in: 0 ... .max))"
        let owner = TestServer.parameters["user"] ?? ""
        let hostile: Role

        init() throws {
            hostile = try Role("LOGIN")
            try TestServer.run("CREATE DATABASE \(name) OWNER \(owner)")
            try run("GRANT CREATE ON SCHEMA public TO PUBLIC")
        }

        func drop() {
            _ = try? TestServer.run("DROP DATABASE \(name) WITH (FORCE)")
            hostile.drop()
        }

        func place(of user: String?) -> String {
            (try? TestServer.location(user: user, database: name)) ?? ""
        }

        /// As the superuser.
        var location: String { place(of: "postgres") }

        func configuration(user: String? = nil) -> StorageConfiguration {
            StorageConfiguration(location: place(of: user))
        }

        @discardableResult
        func run(_ text: String, as user: String = "postgres") throws -> [String?] {
            try TestServer.run(text, at: place(of: user))
        }

        /// What is caught where `public` is looked into.
        static let uses = [
            "1.5::numeric * 2::int4", "clock_timestamp()", "1::int8 + 1", "'a'::text = 'a'::text",
            "'\\x00'::bytea >= '\\x00'::bytea", "set_config('a.b', 'c', true)",
            "octet_length('a'::bytea)",
        ]

        /// What each of the uses finds in `public`: name, type and what it does.
        private static let functions = [
            ("times(a numeric, b int4)", "numeric", "numeric_mul(a, b::numeric)"),
            ("clock_timestamp()", "timestamptz", "clock_timestamp()"),
            ("plus(a int8, b int4)", "int8", "int84pl(a, b)"),
            ("same(a text, b text)", "boolean", "texteq(a, b)"),
            ("reaches(a bytea, b bytea)", "boolean", "byteage(a, b)"),
            ("set_config(a text, b text, c boolean)", "text", "set_config(a, b, c)"),
            ("octet_length(a bytea)", "int4", "octet_length(a)"),
        ]

        private static let operators = [
            ("*", "numeric", "int4", "times"), ("+", "int8", "int4", "plus"),
            ("=", "text", "text", "same"), (">=", "bytea", "bytea", "reaches"),
        ]

        private static func function(_ name: String, _ type: String, _ value: String) -> String {
            """
            CREATE FUNCTION public.\(name) RETURNS \(type) LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO public.caught VALUES (current_user); RETURN \(value); END $$;

            """
        }

        /// Makes what notes in `public.caught` by whom it was run.
        func layTraps() throws {
            let functions = Self.functions.map { Self.function($0, $1, "pg_catalog.\($2)") }
            let operators = Self.operators.map {
                """
                CREATE OPERATOR public.\($0)
                    (LEFTARG = \($1), RIGHTARG = \($2), FUNCTION = public.\($3));

                """
            }
            try run(
                """
                CREATE TABLE public.caught (who text);
                GRANT INSERT ON public.caught TO PUBLIC;

                """ + functions.joined() + operators.joined()
                    + Self.function("passes(a int8)", "boolean", "true")
                    + Self.function("catch()", "trigger", "NEW"), as: hostile.name)
        }
    }
#endif
