#if PostgreSQL
    import BrowserSessions
    import IncognitoEncryption
    import PostgreSQLBackend
    import StorageConformance
    import Testing

    /// All tests that need a server, one at a time.
    @Suite("PostgreSQL", .serialized, .enabled(if: TestServer.isThere, "no server"))
    struct ServerTests {}

    extension ServerTests {
        /// Every requirement, for stores of a real server.
        @Suite("The PostgreSQL backend conforms")
        struct ConformanceTests {
            @Test(arguments: ConformanceSuite.cases)
            func postgresql(_ testCase: ConformanceCase) async throws {
                let harness = PostgreSQLHarness(child: .test(named: #function))
                let verdict = try await testCase.check(any: harness)
                if case .notApplicable(let capability) = verdict {
                    #expect(!abilities.contains(capability))
                    try Test.cancel("needs \(capability.rawValue)")
                }
            }

            /// What of the needs of requirements it has.
            private let abilities: Set<Capability> = [
                .reopening, .ownProcess, .processes, .processCrash, .powerLoss, .previousGeneration,
                .takeover, .erasure, .incognitoErased, .incognitoSealed, .incognitoKeyElsewhere,
                .secretOptions,
            ]
        }
    }

    private struct PostgreSQLHarness: StorageHarness {
        private static let backend = StorageBackend.postgreSQL

        var name: String { Self.backend.name }
        var options: [StorageOption] { Self.backend.options }
        let persistence = HarnessPersistence.elsewhere
        let child: ChildCommand?

        func makeLocation() throws -> String { try TestServer.profile() }

        func open(_ configuration: StorageConfiguration) async throws(StorageError)
            -> any SessionStorage
        {
            try await Self.backend.open(configuration)
        }

        var takeOver: Takeover? {
            { location in try TestServer.takeOver(location) }
        }

        func removeLocation(_ location: String) throws { try TestServer.remove(location) }
    }
#endif
