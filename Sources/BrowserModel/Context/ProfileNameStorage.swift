/// Stores the names of the profiles for a ``ProfileManager``, so that they are known after a
/// relaunch.
public protocol ProfileNameStorage: AnyObject {
    /// Returns the names in the order in which the profiles were created; empty if none were
    /// stored.
    ///
    /// - Throws: an error if names exist but cannot be read. An empty answer would cause them to be
    ///   lost.
    func names() throws -> [String]

    /// Replaces the stored names.
    ///
    /// - Throws: an error if the names cannot be written. The former names then remain.
    func setNames(_ names: [String]) throws
}

/// Names that do not outlive the process, for tests and for hosts that store their profiles in
/// another way.
public final class MemoryProfileNames: ProfileNameStorage {
    private var kept: [String]

    /// Creates a storage with names in the order of creation; by default, it has none.
    public init(_ names: [String] = []) { kept = names }

    public func names() -> [String] { kept }
    public func setNames(_ names: [String]) { kept = names }
}
