/// Which version of a session to restore.
public enum SessionGeneration: Hashable, Sendable {
    /// As saved last.
    case current
    /// As it was when the store was opened last, or at an opening before if it lost all its tabs since:
    /// what to offer when the current one is wrong. The incognito side keeps none.
    case previous
    /// As it was when that generation was taken; ``StorageError/Code/notFound`` if it is not kept any more.
    case kept(GenerationID)
}

/// An earlier version of all regular sessions that a store keeps; see ``SessionStorage/generations()``.
public struct KeptGeneration: Hashable, Sendable, Identifiable {
    public var id: GenerationID
    /// What the wall clock said when it was taken.
    public var takenAt: Timestamp

    public init(id: GenerationID, takenAt: Timestamp) {
        self.id = id
        self.takenAt = takenAt
    }
}

/// Names a generation within its store: the number of the last change set that is in it.
public struct GenerationID: Hashable, Sendable, Comparable, RawRepresentable,
    CustomStringConvertible
{
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (one: GenerationID, other: GenerationID) -> Bool {
        one.rawValue < other.rawValue
    }

    public var description: String { "\(rawValue)" }
}
