/// An option of a backend.
public struct StorageOption: Hashable, Sendable {
    /// The name in configurations, such as `durability`.
    public var name: String
    /// The form and the range of legal values.
    public var kind: Kind
    /// The value that applies if the configuration has none.
    public var defaultValue: OptionValue
    /// One line that says what the option does.
    public var summary: String
    /// Whether the value must not be shown.
    public var isSecret: Bool

    /// The form of the values.
    public enum Kind: Hashable, Sendable {
        /// `true` or `false`.
        case bool
        /// A whole number in this range.
        case integer(ClosedRange<Int>)
        /// One of these texts.
        case choice([String])
        /// Any text.
        case text
    }

    /// Creates an option. Its value may be shown unless `isSecret` is `true`.
    public init(
        _ name: String,
        kind: Kind,
        default defaultValue: OptionValue,
        isSecret: Bool = false,
        summary: String
    ) {
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.isSecret = isSecret
        self.summary = summary
    }

    /// The options that every backend supports.
    public static let common: [StorageOption] = [
        StorageOption(
            "durability", kind: .choice(Durability.allCases.map(\.rawValue)),
            default: .text(Durability.powerLoss.rawValue),
            summary: "what a save survives when the caller names no level"),
        StorageOption(
            "maximumStateBytes", kind: .integer(1...1 << 30),
            default: .integer(StorageTraits.defaultMaximumStateBytes),
            summary: "the most bytes of one state blob"),
        StorageOption(
            "restorePointInterval", kind: .integer(0...31_536_000), default: 10_800,
            summary: "seconds between restore points while something changes; 0 takes none"),
        StorageOption(
            "restorePointBytes", kind: .integer(0...1 << 40), default: 67_108_864,
            summary: "the most bytes of restore points that are neither pinned nor named"),
        StorageOption(
            "create", kind: .bool, default: .bool(true),
            summary: "make a new store where there is none"),
        StorageOption(
            "access", kind: .choice(StorageAccess.allCases.map(\.rawValue)),
            default: .text(StorageAccess.readWrite.rawValue),
            summary: "readOnly: nothing of the store is changed, not even by opening it"),
        StorageOption(
            "allowNetworkDisk", kind: .bool, default: .bool(false),
            summary: "open stores on NFS and its kin, where locks and syncs may mean little"),
    ]
}

/// How a store may be accessed.
public enum StorageAccess: String, Hashable, Sendable, CaseIterable {
    /// Opens the store for reading and saving, the default. Only one opener can have it at a time.
    case readWrite
    /// Opens the store without changing anything in it, even if it is damaged, so a read-only
    /// medium is enough. Reads return what the store held when it was opened; others may open it
    /// meanwhile. No restore point is taken: the newest one is that of the last opener with write
    /// access. Every call that changes something is
    /// ``StorageError/Code/permissionDenied``.
    ///
    /// A backend without this mode refuses to open the store as ``StorageError/Code/unsupported``.
    /// A backend with files reads a copy, which takes as much space among the system's temporary
    /// files. While the store is open elsewhere, this access is ``StorageError/Code/locked``, too: see
    /// ``StorageBackend/openReader(_:)``. A backend with a server reads one moment of the store while its owner uses it.
    case readOnly
}

/// The value of an option.
public enum OptionValue: Hashable, Sendable {
    /// `true` or `false`, for an option that is a switch.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A text, also for an option with a list of choices.
    case text(String)
}

extension OptionValue: ExpressibleByBooleanLiteral {
    /// Creates a switch from `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension OptionValue: ExpressibleByIntegerLiteral {
    /// Creates a whole number from a literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension OptionValue: ExpressibleByStringLiteral {
    /// Creates a text from a literal.
    public init(stringLiteral value: String) { self = .text(value) }
}
