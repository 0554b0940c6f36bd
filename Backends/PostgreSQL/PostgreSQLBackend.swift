#if PostgreSQL
    public import BrowserSessions
    import IncognitoEncryption
    public import StorageEngines

    extension StorageBackend {
        /// Sessions in a PostgreSQL database: profiles that outlive their machine and are open on
        /// one machine at a time.
        ///
        /// A location names a server, a database and a profile:
        /// `//user@host:5432/database/profile`. It may be any URL that libpq accepts, including
        /// several hosts. The default profile is `default`. The schema must exist:
        /// ``StorageBackend/prepare(_:)-async`` makes it.
        ///
        /// All stores that this value opens share at most `connections` connections for each
        /// server, and one more that renews the lease of this process. Keep the value: each one has
        /// connections of its own. Incognito is sealed, and its key is never in the database.
        public static var postgreSQL: StorageBackend { postgreSQL() }

        /// Returns the backend with other connections, or with incognito keys in a key store of the
        /// program.
        ///
        /// - Parameters:
        ///   - connections: how many connections all stores of a server share, at least 1.
        ///   - lease: how long a process that does not answer keeps its profiles; after that, any
        ///     opener gets them. On its own machine, the end of a process is known at once.
        ///   - keyStore: where incognito keys are; if `nil`, the option `incognitoKeys` decides.
        public static func postgreSQL(
            connections: Int = 16, lease: Duration = .seconds(15),
            incognitoKeys keyStore: (any IncognitoKeyStore)? = nil
        ) -> StorageBackend {
            postgreSQL(connections, lease, keyStore, in: .system)
        }

        /// Returns the backend with a clock and a timeout of the caller.
        static func postgreSQL(
            _ connections: Int = 16, _ lease: Duration = .seconds(15),
            _ keyStore: (any IncognitoKeyStore)? = nil, in environment: StoreEnvironment
        ) -> StorageBackend {
            let keys = keyStore.map { IncognitoKeys($0) } ?? IncognitoKeys()
            let servers = PostgreSQLServers(connections: max(1, connections), lease: lease)
            @Sendable func place(_ configuration: StorageConfiguration) throws(StorageError)
                -> Place
            {
                try Place(configuration, servers, keys, in: environment)
            }
            return StorageBackend(
                name: PostgreSQLEngine.backendName,
                summary:
                    "a PostgreSQL server; profiles outlive their machine, one opener at a time",
                options: PostgreSQLAddress.options + [keys.option],
                locationForm: .address,
                meanings: { configuration in
                    var meanings = [
                        keys.option.name: keys.meaning(of: configuration, hasDirectory: false)
                    ]
                    meanings["location"] = PostgreSQLAddress.warning(of: configuration)
                    return meanings
                },
                prepare: { configuration throws(StorageError) in
                    try PostgreSQLSchema.make(at: PostgreSQLAddress(configuration))
                },
                remove: { configuration throws(StorageError) in
                    try place(configuration).remove()
                },
                openReader: { configuration throws(StorageError) in
                    try place(configuration).openReader()
                }
            ) { configuration throws(StorageError) in
                try place(configuration).open()
            }
        }

        /// The parsed form of a configuration.
        private struct Place {
            /// The configuration in a form that may be shown.
            var configuration: StorageConfiguration
            let engine: PostgreSQLEngine
            let protection: IncognitoProtection
            let environment: StoreEnvironment

            init(
                _ configuration: StorageConfiguration, _ servers: PostgreSQLServers,
                _ keys: IncognitoKeys, in environment: StoreEnvironment
            ) throws(StorageError) {
                let address = try PostgreSQLAddress(configuration)
                let durability = max(.processCrash, configuration.defaultDurability)
                self.environment = PostgreSQLAddress.environment(
                    of: configuration, from: environment)
                self.configuration = configuration
                self.configuration.location = address.description
                self.configuration.options["password"] = nil
                let server = servers.server(
                    at: address, durability: durability, timeout: self.environment.timeout)
                engine = PostgreSQLEngine(address, durability, server)
                protection = try keys.protection(for: configuration, hasDirectory: false)
            }

            func open() throws(StorageError) -> OrderedSessionStorage {
                try OrderedSessionStorage(
                    opening: configuration, engine: engine, incognito: protection, in: environment)
            }

            func openReader() throws(StorageError) -> StoreReader {
                try OrderedSessionStorage.openReader(
                    configuration, engine: engine, in: environment)
            }

            func remove() throws(StorageError) -> Bool {
                try OrderedSessionStorage.remove(
                    configuration, engine: engine, incognito: protection, in: environment)
            }
        }
    }
#endif
