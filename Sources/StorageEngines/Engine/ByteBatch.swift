import BrowserSessions

/// The two key spaces of a store, which an engine should keep apart on its medium: metadata is
/// small and read as a whole, state is large and read record by record.
public enum KeySpace: UInt8, Hashable, Sendable, CaseIterable {
    /// The small records: sessions, tabs, and what the store notes about them.
    case metadata = 0x6D
    /// The state blobs of tabs.
    case state = 0x73
}

/// Puts and removals that are applied together, with at most one operation for each key.
public struct ByteBatch: Sendable {
    /// What happens to the record of one key.
    public enum Operation: Sendable {
        /// Creates the record of the key, or replaces its value.
        case put(KeySpace, key: [UInt8], value: [UInt8])
        /// Does nothing if the key does not exist.
        case remove(KeySpace, key: [UInt8])
    }

    /// The operations, in the order in which they were added.
    public private(set) var operations: [Operation] = []
    /// The total size of the keys and values of all operations, in bytes.
    public private(set) var byteCount = 0

    /// - Parameter capacity: the expected number of operations.
    public init(capacity: Int = 0) { operations.reserveCapacity(capacity) }

    /// Whether the batch has no operations.
    public var isEmpty: Bool { operations.isEmpty }

    /// Adds a put. The batch must not have an operation for the key yet.
    public mutating func put(_ value: [UInt8], for key: [UInt8], in space: KeySpace) {
        byteCount += key.count + value.count
        operations.append(.put(space, key: key, value: value))
    }

    /// Adds a removal. The batch must not have an operation for the key yet.
    public mutating func remove(_ key: [UInt8], in space: KeySpace) {
        byteCount += key.count
        operations.append(.remove(space, key: key))
    }
}
