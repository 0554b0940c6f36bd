/// The version of a session to restore.
public enum SessionGeneration: Hashable, Sendable {
    /// The session as it was last saved.
    case current
    /// The session as it was at the last opening of the store, or at an earlier opening if the
    /// session has lost all its tabs since. Offer it when the current version is wrong. The
    /// incognito partition keeps no previous version.
    case previous
    /// The session as it was when that generation was taken. If that generation is no longer kept,
    /// the result is ``StorageError/Code/notFound``.
    case kept(GenerationID)
}

/// An earlier version of all regular sessions that a store keeps; see
/// ``SessionStorage/generations()``.
public struct KeptGeneration: Hashable, Sendable, Identifiable {
    public var id: GenerationID
    /// The wall-clock time at which the generation was taken.
    public var takenAt: Timestamp

    /// Creates a kept generation from its identifier and the time at which it was taken.
    public init(id: GenerationID, takenAt: Timestamp) {
        self.id = id
        self.takenAt = takenAt
    }
}

/// Identifies a generation within its store: the number of the last change set that it contains.
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
