/// What a saved change survives. Each level includes the ones before it.
public enum Durability: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// Nothing is promised beyond the life of the process.
    case memory
    /// The process may be killed at any moment; the operating system has the bytes, in order.
    case processCrash
    /// The power may go: the bytes are on the medium.
    case powerLoss
    /// The machine may be lost for good: the bytes are on the media of at least two. Backends on one
    /// machine have no such level.
    case replicated

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .memory: 0
        case .processCrash: 1
        case .powerLoss: 2
        case .replicated: 3
        }
    }
}

/// The answer to a save.
public struct SaveReceipt: Hashable, Sendable {
    /// The number of the side's last applied set: 1 for the first, 0 for a store without any.
    public var sequence: UInt64
    /// The level that was reached: never more than is true, and at least the one asked for, but for
    /// incognito sets, which reach ``StorageTraits/incognitoDurability`` at most.
    public var durability: Durability
    /// The set's commit id had been applied by an earlier call, so this one changed nothing.
    public var wasAlreadyApplied: Bool

    public init(sequence: UInt64, durability: Durability, wasAlreadyApplied: Bool = false) {
        self.sequence = sequence
        self.durability = durability
        self.wasAlreadyApplied = wasAlreadyApplied
    }
}
