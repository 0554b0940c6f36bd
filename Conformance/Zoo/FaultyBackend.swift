#if FaultyBackends
    public import BrowserSessions
    import StorageEngines

    /// A backend with one known fault that the suite must catch, to prove that a requirement can
    /// catch something. Each is declared with the requirement that it was made to break.
    public struct FaultyBackend: Sendable {
        /// The name, such as `forgets-on-reopen`.
        public let name: String
        /// The requirement that it was made to break.
        public private(set) var breaks = ""
        /// A part of the message with which that requirement must catch it.
        public let message: String
        /// The backend to open. A fault in front of it shows only with ``harness(named:over:)``.
        public let backend: StorageBackend
        /// Makes the harness that shows the fault from a harness of the backend.
        let dress: @Sendable (BackendHarness) -> any StorageHarness

        /// Makes a fault around a sound store.
        init(
            _ name: String, says message: String,
            wrapping wrap: @escaping @Sendable (any SessionStorage) -> any SessionStorage
        ) {
            self.init(name, says: message) { configuration throws(StorageError) in
                wrap(try ReferenceEngine.open(configuration))
            }
        }

        /// Makes a fault in the engine below a sound ``OrderedSessionStorage``.
        init(_ name: String, says message: String, engine: any FileEngine) {
            self.init(name, says: message) { configuration throws(StorageError) in
                try OrderedSessionStorage(opening: configuration, engine: engine)
            }
        }

        /// Makes a fault in opening, or anywhere.
        init(
            _ name: String, says message: String,
            opening:
                @escaping @Sendable (StorageConfiguration) throws(StorageError)
                -> any SessionStorage
        ) {
            self.name = name
            self.message = message
            backend = StorageBackend(name: "reference", summary: name, open: opening)
            dress = { $0 }
        }

        /// Makes a fault in opening a store for reading beside its owner, or in what its traits say of
        /// it.
        ///
        /// - Parameter claims: whether the traits of the sound store claim it.
        init(
            _ name: String, says message: String, claimsReaders claims: Bool,
            reading: (@Sendable (StorageConfiguration) throws(StorageError) -> StoreReader)?
        ) {
            self.name = name
            self.message = message
            backend = StorageBackend(name: "reference", summary: name, openReader: reading) {
                configuration throws(StorageError) in
                AlteredStorage(
                    base: try ReferenceEngine.open(configuration),
                    onTraits: {
                        var traits = $0
                        traits.opensReaders = claims
                        return traits
                    })
            }
            dress = { $0 }
        }

        /// Makes a fault in how an opening understands its configuration.
        init(
            _ name: String, says message: String,
            taking change:
                @escaping @Sendable (inout StorageConfiguration) throws(StorageError) -> Void
        ) {
            self.init(name, says: message) { configuration throws(StorageError) in
                var other = configuration
                try change(&other)
                return try ReferenceEngine.open(other)
            }
        }

        /// Makes a fault in the use of options, which are not checked before the opening.
        init(
            _ name: String, says message: String, options: [StorageOption] = [],
            unchecked opening:
                @escaping @Sendable (StorageConfiguration) throws(StorageError)
                -> any SessionStorage
        ) {
            self.name = name
            self.message = message
            backend = StorageBackend(
                name: "reference", summary: name, options: options, open: opening)
            dress = { UncheckedHarness(base: $0, opening: opening) }
        }

        /// Makes a fault in a medium that several owners reach, or in opening a store of it.
        init(
            _ name: String, says message: String, sharing medium: SharedMedium = SharedMedium(),
            opening:
                @escaping @Sendable (MediumAccess, StorageConfiguration) throws(StorageError)
                -> any SessionStorage = { medium, configuration throws(StorageError) in
                    try medium.open(configuration)
                }
        ) {
            self.name = name
            self.message = message
            let access = MediumAccess(medium)
            @Sendable func backend(_ access: MediumAccess) -> StorageBackend {
                StorageBackend(name: "reference", summary: name) {
                    configuration throws(StorageError) in try opening(access, configuration)
                }
            }
            self.backend = backend(access)
            dress = { base in
                var harness = base
                harness.persistence = .process
                harness.takeOver = { medium.takeOver($0) }
                harness.troubles = medium.troubles
                harness.makeLink = { timeout in
                    let wire = MemoryWire()
                    let linked = backend(access.over(wire, timeout: timeout))
                    return MediumLink(over: wire) { configuration throws(StorageError) in
                        try await linked.open(configuration)
                    }
                }
                return harness
            }
        }

        /// Makes any backend, for tests of the suite.
        init(_ name: String, says message: String, backend: StorageBackend, breaks: String) {
            self.name = name
            self.message = message
            self.backend = backend
            self.breaks = breaks
            dress = { $0 }
        }

        /// Returns the same backend, with the requirement that it breaks.
        func breaking(_ requirement: Requirement) -> FaultyBackend {
            var backend = self
            backend.breaks = requirement.id
            return backend
        }
    }

    extension FaultyBackend {
        /// Every faulty backend of the suite.
        public static let all: [FaultyBackend] = ConformanceSuite.entries.flatMap(\.faultyBackends)

        /// Backends without an implementation: what they pass proves little by itself.
        public static var hollow: [StorageBackend] { [.null, .echo] }

        /// Returns the faulty or hollow backend of that name.
        public static func backend(named name: String) -> StorageBackend? {
            all.first { $0.name == name }?.backend ?? hollow.first { $0.name == name }
        }

        /// Returns the harness that shows the fault of that name. Some faults are in front of a
        /// backend, and a harness that opens it in the ordinary way hides them.
        ///
        /// - Parameter name: the name of the faulty backend.
        /// - Parameter base: an ordinary harness of the backend of that name.
        public static func harness(named name: String, over base: BackendHarness)
            -> any StorageHarness
        {
            all.first { $0.name == name }?.dress(base) ?? base
        }
    }
#endif
