/// What a saved change survives. Each level includes the levels before it.
public enum Durability: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// The change lasts only as long as the process.
    case memory
    /// The change survives a kill at any moment. The operating system has the bytes, in order.
    case processCrash
    /// The change survives a loss of power. The bytes are on the medium.
    case powerLoss
    /// The change survives the permanent loss of a machine. The bytes are on the media of at least
    /// two machines. Backends on one machine do not have this level.
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

/// The result of a save.
public struct SaveReceipt: Hashable, Sendable {
    /// The number of the partition's last applied set: 1 for the first, 0 if there is none.
    public var sequence: UInt64
    /// The durability level that was reached. It is never overstated. It is at least the requested
    /// level, except for incognito sets, which reach at most ``StorageTraits/incognitoDurability``.
    public var durability: Durability
    /// Whether an earlier call applied a set with this commit ID, so that this call changed
    /// nothing.
    public var wasAlreadyApplied: Bool
    /// The restore point that keeps the state before the set, because the set took many tabs away; `nil`
    /// nearly always. See ``RestorePoint/Reason/beforeLoss``.
    public var pointBeforeLoss: RestorePoint?

    /// Creates a receipt, by default for a set that this call applied and that took few tabs away.
    public init(
        sequence: UInt64, durability: Durability, wasAlreadyApplied: Bool = false,
        pointBeforeLoss: RestorePoint? = nil
    ) {
        self.sequence = sequence
        self.durability = durability
        self.wasAlreadyApplied = wasAlreadyApplied
        self.pointBeforeLoss = pointBeforeLoss
    }
}
