/// The version of a session to read.
public enum SessionVersion: Hashable, Sendable {
    /// The session as it was last saved.
    case current
    /// The session as it was at a restore point. If the store does not keep the point (any more),
    /// the result is ``StorageError/Code/notFound``.
    case point(RestorePointID)
}

/// The state of all regular sessions after one change set, which a store keeps; see
/// ``SessionStorage/restorePoints()``.
///
/// A store takes one when it is opened, when something changed and an interval is over, before a set
/// takes away many tabs that were not closed on purpose, and when it is asked. It keeps ten of the last 24 hours
/// or the newest ten, one a day for a week, one a week for four weeks, and pinned and named ones until they are
/// released. Of those from before a loss, and of those from before a plan was applied
/// (``RestorePoint/isBeforeRestoring``), it keeps the newest ten for 30 days, by a count of time of its own.
/// The incognito partition has no points.
public struct RestorePoint: Hashable, Sendable, Identifiable {
    /// The identifier of the point, which says what is in it.
    public var id: RestorePointID
    /// The wall-clock time at which the point was taken.
    public var takenAt: Timestamp
    /// Why the point was taken.
    public var reason: Reason
    /// The name that the user gave; empty if none was given.
    public var name: String
    /// Whether the point stays until it is released.
    public var isPinned: Bool
    /// The number of tabs in windows, inactive ones included, and in the library.
    public var tabCount: Int
    /// How many tabs were about to go, for a point that was taken before a loss, or has the state before one;
    /// 0 otherwise.
    public var lostTabCount: Int

    /// Creates a description of a point.
    public init(
        id: RestorePointID, takenAt: Timestamp, reason: Reason = .opening, name: String = "",
        isPinned: Bool = false, tabCount: Int = 0, lostTabCount: Int = 0
    ) {
        self.id = id
        self.takenAt = takenAt
        self.reason = reason
        self.name = name
        self.isPinned = isPinned
        self.tabCount = tabCount
        self.lostTabCount = lostTabCount
    }

    /// Whether many tabs went at once right after this state, and were not closed on purpose. A point with a
    /// name is one, too, if it had the state before the loss: `reason` is then still `.named`.
    package var isBeforeLoss: Bool { reason == .beforeLoss || lostTabCount > 0 }

    /// The name of the points that are taken before a plan is applied. It is reserved: a point that is taken
    /// with this name and is not pinned counts as one of them.
    package static let nameBeforeRestoring = "before restoring"

    /// Whether the point was taken before a plan was applied, to undo that. It keeps its name. The newest ten
    /// stay for 30 days, or until they are released; older ones go like points without a name.
    public var isBeforeRestoring: Bool {
        reason == .named && !isPinned && name == Self.nameBeforeRestoring
    }

    /// Why a restore point was taken. Stores may know more reasons than a program.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The text in the record.
        public var rawValue: String

        /// Creates a reason from the text in a record.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The store was opened, and something had changed since the point before.
        public static let opening = Reason(rawValue: "opening")
        /// Something changed, and the interval was over.
        public static let interval = Reason(rawValue: "interval")
        /// Many tabs were about to go that were not closed on purpose: ten, and 30 % of those that were open.
        /// The point stays for 30 days.
        public static let beforeLoss = Reason(rawValue: "before-loss")
        /// Somebody asked for it, or a plan was about to be applied; see ``RestorePoint/isBeforeRestoring``.
        public static let named = Reason(rawValue: "named")
    }
}

/// Identifies a restore point within its store: the number of the last change set that it contains.
public struct RestorePointID: Hashable, Sendable, Comparable, RawRepresentable,
    CustomStringConvertible
{
    /// The number of the change set.
    public var rawValue: UInt64

    /// Creates an identifier from the number of a change set.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (one: RestorePointID, other: RestorePointID) -> Bool {
        one.rawValue < other.rawValue
    }

    public var description: String { "\(rawValue)" }
}
