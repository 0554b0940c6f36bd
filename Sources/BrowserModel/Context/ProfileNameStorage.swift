/// Keeps the names of the profiles for a ``ProfileManager``, which so knows after a relaunch which
/// profiles there were.
public protocol ProfileNameStorage: AnyObject {
    /// The names in the order in which the profiles were created; none if none were ever kept.
    ///
    /// Throws if there are some that cannot be read. It must not answer that there are none then,
    /// because they would be given up.
    func names() throws -> [String]

    /// Keeps these names instead of the former ones. If it throws, the former ones stay.
    func setNames(_ names: [String]) throws
}

/// Names that are gone with the process: for tests, and for hosts that keep their profiles in a way
/// of their own.
public final class MemoryProfileNames: ProfileNameStorage {
    private var kept: [String]

    public init(_ names: [String] = []) { kept = names }

    public func names() -> [String] { kept }
    public func setNames(_ names: [String]) { kept = names }
}
