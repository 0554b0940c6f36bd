import BrowserSessions

/// The two families of keys of a store, which an engine should keep apart on its medium: metadata
/// is small and read as a whole, state is large and read one by one.
public enum KeySpace: UInt8, Hashable, Sendable, CaseIterable {
    case metadata = 0x6D
    case state = 0x73
}

/// Puts and removals that belong together; at most one for a key.
public struct ByteBatch: Sendable {
    public enum Operation: Sendable {
        case put(KeySpace, key: [UInt8], value: [UInt8])
        /// Nothing happens if there is no such key.
        case remove(KeySpace, key: [UInt8])
    }

    public private(set) var operations: [Operation] = []
    /// How many bytes the keys and the values of all operations have together.
    public private(set) var byteCount = 0

    /// - Parameter capacity: about how many operations there will be.
    public init(capacity: Int = 0) { operations.reserveCapacity(capacity) }

    public var isEmpty: Bool { operations.isEmpty }

    public mutating func put(_ value: [UInt8], for key: [UInt8], in space: KeySpace) {
        byteCount += key.count + value.count
        operations.append(.put(space, key: key, value: value))
    }

    public mutating func remove(_ key: [UInt8], in space: KeySpace) {
        byteCount += key.count
        operations.append(.remove(space, key: key))
    }
}
