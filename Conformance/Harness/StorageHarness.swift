public import BrowserSessions

/// How the suite gets at stores of the backend under test.
///
/// ``BackendHarness`` is enough for a backend whose stores are directories. Others conform
/// themselves. A preflight checks what a harness says of itself, so that its faults are never
/// blamed on the backend.
public protocol StorageHarness: Sendable {
    /// The name in reports: `sqlite`.
    var name: String { get }

    /// Tells the harness from all others that the same test runs with; ``name`` unless it says
    /// otherwise. A process that was started for one of them finds it by this.
    var label: String { get }

    /// How long what a store has saved stays at its location.
    var persistence: HarnessPersistence { get }

    /// The options that the backend understands beside ``StorageOption/common``; `[]` if none.
    var options: [StorageOption] { get }

    /// A location at which there is nothing, and which no other call ever returns.
    func makeLocation() async throws -> String

    /// Opens the store at a location that ``makeLocation()`` returned, or makes one there.
    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage

    /// Removes everything at the location. Nothing may be left there.
    func removeLocation(_ location: String) async throws

    /// How to start a process that has the same harness; `nil` if that is impossible.
    /// See ``ConformanceChild``.
    var child: ChildCommand? { get }

    /// Takes the store at a location from whoever has it open, as an operator does, or a server whose
    /// owner's lease has run out: when it returns, the store can be opened, although the first owner
    /// has not closed it and knows nothing. `nil` if that is impossible.
    var takeOver: Takeover? { get }

    /// Makes a link over which stores reach a medium that they share; `nil` if that is impossible.
    var makeLink: MediumLink.Maker? { get }

    /// How to bring the medium that stores share into trouble; `nil` if that is impossible.
    var troubles: MediumTroubles? { get }
}

extension StorageHarness {
    public typealias Takeover = @Sendable (_ location: String) async throws -> Void

    public var label: String { name }
    public var takeOver: Takeover? { nil }
    public var makeLink: MediumLink.Maker? { nil }
    public var troubles: MediumTroubles? { nil }
}

/// How long what a store has saved stays at its location.
public enum HarnessPersistence: String, Hashable, Sendable, CaseIterable, Comparable {
    /// As long as the store is open.
    case opened
    /// As long as the process runs.
    case process
    /// For ever, but not as files at the location: a server keeps it.
    case elsewhere
    /// For ever: the location is a directory, and the store is the files in it.
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
