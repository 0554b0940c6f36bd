/// A store that forwards every call to another store. Supply a `base`, and implement
/// ``perform(_:)`` to log, delay or refuse calls of any kind, or only the methods that differ.
public protocol StorageDecorator: SessionStorage {
    /// The store that answers every call that the decorator does not implement.
    var base: any SessionStorage { get }

    /// Answers the calls with methods that the decorator does not implement; by default, as the base does.
    func perform<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
}

extension StorageDecorator {
    public var traits: StorageTraits { base.traits }

    public func perform<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
    {
        try await request.perform(on: base)
    }
}

/// A call of a storage as a value: its arguments, its answer, and how it is made.
///
/// ``StorageDecorator/perform(_:)`` gets every call as one, to log, delay, count or refuse it.
public protocol StorageRequest: Hashable, Sendable {
    /// What the call returns; `Void` if nothing.
    associatedtype Answer: Sendable

    /// The name of the operation, as errors have it, such as `restore point bytes`.
    var operation: String { get }

    /// Whether the call may change what the store has. Closing does not.
    var changesStore: Bool { get }

    /// Makes the call.
    ///
    /// - Parameter store: the storage to call.
    func perform(on store: any SessionStorage) async throws(StorageError) -> Answer
}

extension StorageRequest {
    /// A call only reads by default.
    package var changesStore: Bool { false }
}
