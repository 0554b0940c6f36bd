public import BrowserSessions

/// Gives the suite access to stores of the backend under test.
///
/// ``BackendHarness`` is enough for a backend with directories as stores. Other backends conform to
/// this protocol. A preflight check verifies what a harness claims, so that the faults of a harness
/// are never blamed on the backend.
public protocol StorageHarness: Sendable {
    /// The name in reports, such as `sqlite`.
    var name: String { get }

    /// Distinguishes this harness from all others of the same test; ``name`` by default. A child
    /// process finds its harness by this label.
    var label: String { get }

    /// How long saved content stays at its location.
    var persistence: HarnessPersistence { get }

    /// The backend's options besides `StorageOption.common`; `[]` if there are none.
    var options: [StorageOption] { get }

    /// Returns an empty location that no other call ever returns.
    func makeLocation() async throws -> String

    /// Opens or creates the store at a location that ``makeLocation()`` returned.
    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage

    /// Opens the store at a location for reading beside its owner. Without an implementation it throws
    /// `unsupported`.
    func openReader(_ configuration: StorageConfiguration) async throws(StorageError)
        -> StoreReader

    /// Copies the store at a location to a folder. Without an implementation it throws `unsupported`.
    func backUp(_ configuration: StorageConfiguration, to path: String) async throws(StorageError)
        -> StoreBackup

    /// Removes the store at a location, and returns whether there was one. Without an implementation it
    /// throws `unsupported`.
    func removeStore(_ configuration: StorageConfiguration) async throws(StorageError) -> Bool

    /// Removes everything at the location and leaves nothing there.
    func removeLocation(_ location: String) async throws

    /// How to start a process with the same harness; `nil` if that is impossible. See
    /// ``ConformanceChild``.
    var child: ChildCommand? { get }

    /// Takes the store at a location from its current owner, as an operator does, or a server after
    /// the owner's lease has run out. On return, the store can be opened, although the first owner
    /// has not closed it and has not been notified. `nil` if that is impossible.
    var takeOver: Takeover? { get }

    /// Makes a link between stores and their shared medium; `nil` if that is impossible.
    var makeLink: MediumLink.Maker? { get }

    /// How to cause trouble in the medium that stores share; `nil` if that is impossible.
    var troubles: MediumTroubles? { get }
}

extension StorageHarness {
    /// A function that takes the store at a location from its current owner.
    public typealias Takeover = @Sendable (_ location: String) async throws -> Void

    public var label: String { name }

    public func openReader(_ configuration: StorageConfiguration) async throws(StorageError)
        -> StoreReader
    {
        throw StorageError(
            .unsupported, "the harness '\(name)' opens no readers", operation: "open reader")
    }

    public func backUp(_ configuration: StorageConfiguration, to path: String)
        async throws(StorageError) -> StoreBackup
    {
        throw StorageError(
            .unsupported, "the harness '\(name)' makes no backups", operation: "back up")
    }

    public func removeStore(_ configuration: StorageConfiguration) async throws(StorageError)
        -> Bool
    {
        throw StorageError(
            .unsupported, "the harness '\(name)' removes no stores", operation: "remove")
    }

    public var takeOver: Takeover? { nil }
    public var makeLink: MediumLink.Maker? { nil }
    public var troubles: MediumTroubles? { nil }
}

/// How long saved content stays at its location.
public enum HarnessPersistence: String, Hashable, Sendable, CaseIterable, Comparable {
    /// While the store is open.
    case opened
    /// While the process runs.
    case process
    /// Forever, but not as files at the location: a server keeps it.
    case elsewhere
    /// Forever: the location is a directory that holds the store's files.
    case files

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .opened: 0
        case .process: 1
        case .elsewhere: 2
        case .files: 3
        }
    }
}
