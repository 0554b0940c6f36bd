public import BrowserSessions

/// An engine that keeps its records in memory, on a server, in another process, or behind a C API.
///
/// It sees a store as a few named *namespaces*, each with records in the two ``KeySpace``s. One of
/// them holds what a store needs beside its partitions: its creator, each partition's sequence
/// number, and what was set aside.
public protocol ConnectedEngine: StorageEngine {
    /// Takes exclusive ownership of a store, whether it exists or not.
    ///
    /// When it returns, everything that was reported to any owner as written is there, it is
    /// durable as far as ``EngineAbilities/durability`` goes, and nothing that an earlier
    /// connection still sends is ever applied. Throws `StorageError.Code.locked`, with the holder's
    /// name, if another owner has the store; `StorageError.Code.fenced` if this owner has lost it,
    /// or has asked again in the meantime (see ``ConnectionRequest/attempt``);
    /// `StorageError.Code.unavailable` if there is no answer.
    func connect(_ request: ConnectionRequest) throws -> any EngineConnection

    /// Opens a view of the store as it is now, without taking ownership. The store does not change,
    /// its owner keeps it, and the view does not see later writes.
    ///
    /// Returns `nil` if the engine has no views: its stores cannot be opened for reading only.
    /// Throws the errors of ``connect(_:)``, except `StorageError.Code.locked`.
    func view(_ request: ConnectionRequest) throws -> (any EngineView)?

    /// Reports that this owner will not ask again and has no connection over which it could release
    /// the store: connecting failed, or the connection was lost and not replaced. Others may have
    /// the store as soon as the engine can release it. Must not block.
    func giveUp(_ request: ConnectionRequest)
}

extension ConnectedEngine {
    /// Returns `nil`, for engines that only open stores for an owner.
    public func view(_ request: ConnectionRequest) -> (any EngineView)? { nil }

    /// Does nothing, for engines that notice by themselves that an owner is gone.
    public func giveUp(_ request: ConnectionRequest) {}
}

/// What a ``ConnectedEngine`` receives when a store is opened.
public struct ConnectionRequest: Sendable {
    /// The store's location, as the configuration gives it.
    public var location: String
    /// The values of the engine's own options.
    public var options: [String: OptionValue]
    /// The name of the asking process, for the error message of later openers: `process 4711`.
    public var holder: String
    /// A number that no other opening of a store ever has.
    public var owner: CommitID
    /// The number of earlier requests of this owner.
    ///
    /// If it is not 0, the owner had a connection, and the engine may not have noticed that it is
    /// gone. The store still belongs to this owner unless another one has had it since, whether or
    /// not the earlier answers arrived. A request that comes later than one with a higher number
    /// has been given up and must not be served.
    public var attempt: UInt64 = 0
    /// The environment. Its ``StoreEnvironment/timeout`` also limits how long connecting may take.
    public var environment: StoreEnvironment

    /// Creates the first request of an owner, with an ``attempt`` of 0.
    public init(
        location: String, options: [String: OptionValue], holder: String, owner: CommitID,
        environment: StoreEnvironment = .system
    ) {
        self.location = location
        self.options = options
        self.holder = holder
        self.owner = owner
        self.environment = environment
    }
}

/// The records of a store as they were at one moment, or as the store's owner has them.
///
/// Calls come one at a time, from any thread but never from Swift's cooperative pool, and may
/// block. A `StorageError` reaches the caller unchanged; other errors become
/// `StorageError.Code.failed`. Damage must be thrown as `StorageError.Code.corrupted`, never
/// reported as absence.
public protocol EngineView: AnyObject {
    /// Returns the value of a key, or `nil` if there is none.
    func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]?

    /// Visits the records with keys that begin with `prefix`, in ascending order of the key's
    /// bytes. The key and the value are valid during the visit only.
    func scan(
        _ space: KeySpace, of namespace: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws

    /// Makes the current call and all later ones end soon with `StorageError.Code.unavailable`.
    /// Called from another thread when a call takes longer than the request's environment allows,
    /// maybe late, when the connection is gone. Does nothing if the connection's calls cannot hang.
    var interrupt: @Sendable () -> Void { get }

    /// Releases the store, so that others can have it at once. Called at most once. The object may
    /// also be released without this call.
    func close()
}

/// A store that a ``ConnectedEngine`` has opened for its owner to read and write.
///
/// Once its owner has been replaced, every call throws `StorageError.Code.fenced`, including reads.
public protocol EngineConnection: EngineView {
    /// Applies all operations of the batch or none, after every earlier batch of any namespace.
    ///
    /// If `durably`, this batch and every earlier one survive what ``EngineAbilities/durability``
    /// names. When it throws, nothing was applied, unless the error's effect is
    /// `StorageError.Effect.indeterminate`: the connection then cannot be used any more, and the
    /// next connection shows whether the batch was applied.
    func write(_ batch: ByteBatch, to namespace: String, durably: Bool) throws

    /// Makes every earlier batch survive what ``EngineAbilities/durability`` names.
    func sync() throws

    /// Removes all records of a namespace, durably: readers no longer find any through the engine.
    /// Does nothing if there are none.
    func destroy(_ namespace: String) throws

    /// Removes the store durably, with everything else that the engine keeps for it, and releases
    /// it; no calls follow. Its data is in these namespaces, and some of them may be gone already.
    ///
    /// Removes it in one step if the engine can. Otherwise, removes one namespace after another:
    /// the last one marks the store as being removed. When it throws, this owner still has the
    /// store, and some namespaces may be gone. As with every call, only the owner makes it.
    func remove(_ namespaces: [String]) throws
}

extension EngineConnection {
    /// Destroys each namespace and closes, for engines that keep nothing else for a store.
    public func remove(_ namespaces: [String]) throws {
        for namespace in namespaces { try destroy(namespace) }
        close()
    }
}
