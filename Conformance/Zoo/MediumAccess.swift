#if FaultyBackends
    import BrowserSessions
    import Dispatch
    import StorageEngines

    /// How stores reach a ``SharedMedium``.
    struct MediumAccess: ConnectedEngine {
        let medium: SharedMedium
        /// `nil` if nothing is between them.
        var wire: MemoryWire?
        var environment = StoreEnvironment.system

        let name = "reference"
        let formatVersion = 1
        let abilities = EngineAbilities(
            durability: .memory, limits: .none, findsDamage: true)

        init(_ medium: SharedMedium) { self.medium = medium }

        /// The same over a wire, waiting no longer than that.
        func over(_ wire: MemoryWire, patience: Duration) -> MediumAccess {
            var access = self
            access.wire = wire
            access.environment.patience = patience
            return access
        }

        func open(_ configuration: StorageConfiguration) throws(StorageError)
            -> OrderedSessionStorage
        {
            try OrderedSessionStorage(opening: configuration, engine: self, in: environment)
        }

        func connect(_ request: ConnectionRequest) throws -> any EngineConnection {
            guard let wire else {
                return SharedConnection(medium, request, try medium.take(request), nil)
            }
            guard let line = wire.connect() else { throw MemoryLine.lost(changes: false) }
            let limit = DispatchWorkItem { line.interrupt() }
            defer { limit.cancel() }
            // waits: the limit of what may hang
            Self.queue.asyncAfter(
                deadline: .now() + request.environment.patience / .seconds(1), execute: limit)
            let taken = try line.ask(changes: false) { [medium] in try medium.take(request) }
            return SharedConnection(medium, request, taken, line)
        }

        private static let queue = DispatchQueue(label: "browser-sessions.shared-medium")

        func giveUp(_ request: ConnectionRequest) {
            medium.letGo(request.owner, of: request.location)
        }
    }
#endif
