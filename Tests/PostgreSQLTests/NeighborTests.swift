#if PostgreSQL
    import BrowserSessions
    import PostgreSQLBackend
    import Testing

    extension ServerTests {
        /// What others do in the same database.
        @Suite("neighbors", .timeLimit(.minutes(1)))
        struct NeighborTests {
            /// An operator that fits better than the server's own would be run with our rights.
            private static let trap = """
                CREATE TABLE public.caught (who text);
                GRANT INSERT ON public.caught TO PUBLIC;
                CREATE FUNCTION public.times(a numeric, b int4) RETURNS numeric LANGUAGE plpgsql AS $$
                    BEGIN
                        INSERT INTO public.caught VALUES (current_user);
                        RETURN pg_catalog.numeric_mul(a, b::numeric);
                    END $$;
                CREATE OPERATOR public.* (LEFTARG = numeric, RIGHTARG = int4, FUNCTION = public.times);
                """

            private func caught() throws -> [String?] {
                try TestServer.run("SELECT who FROM public.caught")
            }

            @Test func operatorsOfOthersAreNotRun() async throws {
                let profile = try RemovableProfile()
                try TestServer.run(Self.trap)
                defer {
                    _ = try? TestServer.run(
                        """
                        DROP OPERATOR public.* (numeric, int4);
                        DROP FUNCTION public.times(numeric, int4);
                        DROP TABLE public.caught
                        """)
                }
                let backend = StorageBackend.postgreSQL
                for _ in 1...2 {
                    let store = try await backend.open(profile.configuration)
                    try await store.save(tabs: 2)
                    _ = try await store.check()
                    try await store.close()
                }
                try await backend.remove(profile.configuration)
                #expect(try caught() == [])
                // So it is caught where the server's own are not asked first.
                try TestServer.run("SET search_path = public; SELECT 1.5::numeric * 2::int4")
                #expect(try caught().count == 1)
            }
        }
    }
#endif
