import BrowserSessions
import Dispatch
import StorageEngines

/// The access of stores to a ``SharedMedium``.
struct MediumAccess: ConnectedEngine {
    let medium: SharedMedium
    /// The wire between them; `nil` if there is none.
    var wire: MemoryWire?
    var environment = StoreEnvironment.system

    let name = "reference"
    let formatVersion = 1
    let abilities = EngineAbilities(
        durability: .memory, limits: .none, findsDamage: true)

    init(_ medium: SharedMedium) { self.medium = medium }

    /// Returns the same access over a wire, with that timeout.
    func over(_ wire: MemoryWire, timeout: Duration) -> MediumAccess {
        var access = self
        access.wire = wire
        access.environment.timeout = timeout
        return access
    }

    func open(_ configuration: StorageConfiguration) throws(StorageError) -> OrderedSessionStorage {
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
            deadline: .now() + request.environment.timeout / .seconds(1), execute: limit)
        let taken = try line.ask(changes: false) { [medium] in try medium.take(request) }
        return SharedConnection(medium, request, taken, line)
    }

    private static let queue = DispatchQueue(label: "browser-sessions.shared-medium")

    func giveUp(_ request: ConnectionRequest) { medium.letGo(request.owner, of: request.location) }
}
