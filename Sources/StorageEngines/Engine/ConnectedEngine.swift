public import BrowserSessions

/// An engine with a place of its own: memory, a server, another process, something behind a C interface.
///
/// It sees a store as a few named *partitions*, each with records in the two ``KeySpace``s. What a store
/// needs beside the records of its sides (who made it, how far each side came, what was set aside) is in a
/// partition of its own.
public protocol ConnectedEngine: StorageEngine {
    /// Takes a store for this owner alone, whether there is anything of it or not.
    ///
    /// When it returns, everything that any owner was ever told to be written is there, what is there is
    /// durable as far as ``EngineAbilities/durability`` goes, and nothing that an earlier connection to
    /// the store still sends is ever applied. Throws `StorageError.Code.locked`, naming the holder, if
    /// somebody else has the store; `StorageError.Code.fenced` if this owner has lost it, or has asked
    /// again since: see ``ConnectionRequest/attempt``; `StorageError.Code.unavailable` if there is no
    /// answer.
    func connect(_ request: ConnectionRequest) throws -> any EngineConnection

    /// Looks at a store as it is in this moment, without taking it: nothing of it changes, its owner
    /// keeps it, and what is written later is not seen.
    ///
    /// `nil` if the engine cannot do that: then its stores cannot be opened for reading only. Throws as
    /// ``connect(_:)`` does, but never `StorageError.Code.locked`.
    func view(_ request: ConnectionRequest) throws -> (any EngineView)?

    /// Nobody will ask as this owner again, and it has no connection over which it could let the store go:
    /// connecting failed, or the connection was lost and nobody asked for another one. Others may have the
    /// store as soon as the engine can say so to its place. Must not block.
    func giveUp(_ request: ConnectionRequest)
}

extension ConnectedEngine {
    /// For engines that only give a store to an owner.
    public func view(_ request: ConnectionRequest) -> (any EngineView)? { nil }

    /// For engines whose place notices by itself that an owner is gone.
    public func giveUp(_ request: ConnectionRequest) {}
}

/// What a ``ConnectedEngine`` is told when a store is opened.
public struct ConnectionRequest: Sendable {
    /// Which store, as the configuration says it.
    public var location: String
    /// The values of the engine's own options.
    public var options: [String: OptionValue]
    /// Who asks, for the message to those who come later: `process 4711`.
    public var holder: String
    /// A number that no other opening of a store ever has.
    public var owner: CommitID
    /// How often this owner has asked before.
    ///
    /// If it is not 0, the owner had a connection, of which the engine may not have noticed that it is
    /// gone. The store is still the owner's unless somebody else has had it since; whether the answers to
    /// earlier requests arrived does not matter. A request that comes later than one with a higher number
    /// has been given up and must not be served.
    public var attempt: UInt64 = 0
    /// Its ``StoreEnvironment/patience`` is also how long connecting may take.
    public var environment: StoreEnvironment

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

/// The records of a store as they were in one moment, or as its owner has them.
///
/// Calls come one at a time, from any thread but never from Swift's cooperative pool, and may block. Errors
/// that are `StorageError` reach the caller as they are, others become `StorageError.Code.failed`. Damage
/// is thrown as `StorageError.Code.corrupted`, never answered as absence.
public protocol EngineView: AnyObject {
    /// The value of a key; `nil` if there is none.
    func value(of key: [UInt8], in space: KeySpace, of partition: String) throws -> [UInt8]?

    /// Visits the records whose key begins with `prefix`, in ascending order of the key's bytes.
    /// The key and the value handed over are valid during the visit only.
    func scan(
        _ space: KeySpace, of partition: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws

    /// Ends the call that is being served, and all later ones, soon: they throw
    /// `StorageError.Code.unavailable`. Comes from another thread when a call took too long, by
    /// the request's environment, and may come late, when the connection is gone. A connection
    /// whose calls cannot hang has one that does nothing.
    var interrupt: @Sendable () -> Void { get }

    /// Lets the store go, so that others can have it at once. Not called twice. It may also be let go
    /// without it.
    func close()
}

/// A store that a ``ConnectedEngine`` has opened: what its owner reads and writes.
///
/// A connection whose owner was replaced throws `StorageError.Code.fenced` from every call, reads too.
public protocol EngineConnection: EngineView {
    /// Applies all operations of the batch or none, behind every earlier batch of any partition.
    ///
    /// If `durably`, it and every earlier batch survive what ``EngineAbilities/durability`` names. When it
    /// throws, nothing was applied, unless the error's effect is
    /// `StorageError.Effect.indeterminate`: the connection is of no use any more then, and the next one
    /// tells what became of the batch.
    func write(_ batch: ByteBatch, to partition: String, durably: Bool) throws

    /// Makes every earlier batch survive what ``EngineAbilities/durability`` names.
    func sync() throws

    /// Removes all records of a partition, durably: no reader finds one through the engine any more.
    /// Nothing happens if there are none.
    func destroy(_ partition: String) throws

    /// Removes the store, durably, with whatever else the engine keeps of it, and lets it go: nothing is
    /// called any more. What is there of it is in these partitions, of which some may be gone already.
    ///
    /// In one step where the engine can, which is why it is asked. Else one partition after another: the last
    /// of them says as long as it is there that the store is being removed. When it throws, the store is still
    /// this owner's, and some partitions may be gone. Comes from no other owner, as every call.
    func remove(_ partitions: [String]) throws
}

extension EngineConnection {
    /// For engines that keep nothing of a store but its partitions.
    public func remove(_ partitions: [String]) throws {
        for partition in partitions { try destroy(partition) }
        close()
    }
}
