#if PostgreSQL
    import BrowserSessions
    import IncognitoEncryption
    @testable import PostgreSQLBackend
    import StorageConformance
    import StorageEngines
    import Expectations

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
                    expect(
                        !abilities.contains(capability)
                            || !TestServer.isSingle && ofSingleServers.contains(capability))
                    try Test.cancel("needs \(capability.rawValue)")
                }
            }

            /// What of the needs of requirements it has.
            private let abilities: Set<Capability> = [
                .reopening, .ownProcess, .processes, .processCrash, .powerLoss, .restorePoints,
                .takesRestorePoints, .opensReaders,
                .takeover, .erasure, .incognitoErased, .incognitoSealed, .incognitoKeyElsewhere,
                .secretOptions, .link, .troubles,
            ]

            private let ofSingleServers: Set<Capability> = [.link, .troubles]
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

        func openReader(_ configuration: StorageConfiguration) async throws(StorageError)
            -> StoreReader
        {
            try await Self.backend.openReader(configuration)
        }

        func removeStore(_ configuration: StorageConfiguration) async throws(StorageError) -> Bool {
            try await Self.backend.remove(configuration)
        }

        var takeOver: Takeover? {
            { location in try TestServer.takeOver(location) }
        }

        /// The port of the proxy takes the place of the server's.
        var makeLink: MediumLink.Maker? {
            guard TestServer.isSingle else { return nil }
            return { timeout in
                let proxy = try TestServer.proxy()
                let linked = try TestServer.configuration(over: proxy, profile: "")
                // The lease is renewed by a connection of its own, which is not to be in the way.
                let backend = StorageBackend.postgreSQL(
                    16, .seconds(600), in: .patient(timeout))
                return MediumLink(over: proxy) { configuration throws(StorageError) in
                    var own = linked
                    own.location += TestServer.name(of: configuration.location)
                    return try await backend.open(own)
                }
            }
        }

        var troubles: MediumTroubles? { TestServer.isSingle ? ServerTroubles.all : nil }

        func removeLocation(_ location: String) throws { try TestServer.remove(location) }
    }
#endif
