public import BrowserSessions
public import StorageEngines

/// A directory that forwards every call to another. Provide a `base`, and write only the methods
/// that differ, to fail, to lie, or to count.
public protocol FileDirectoryDecorator: FileDirectory {
    /// The directory that answers every call without a method of the decorator's own.
    var base: any FileDirectory { get }
}

extension FileDirectoryDecorator {
    public var path: String { base.path }
    public var pathForLibraries: String { base.pathForLibraries }
    public var user: UInt32 { base.user }
    public var freeBytes: Int { base.freeBytes }
    public var remoteFileSystem: String? { base.remoteFileSystem }

    public func names() throws(StorageError) -> [String] { try base.names() }

    public func status(of name: String) throws(StorageError) -> FileStatus? {
        try base.status(of: name)
    }

    public func stamp(of name: String, timed: Bool) throws(StorageError) -> FileStamp? {
        try base.stamp(of: name, timed: timed)
    }

    public func has(_ name: String) throws(StorageError) -> Bool { try base.has(name) }

    public func open(_ name: String, mode: FileMode) throws(StorageError) -> any OpenFile {
        try base.open(name, mode: mode)
    }

    public func directory(_ name: String) throws(StorageError) -> any FileDirectory {
        try base.directory(name)
    }

    public func makeDirectory(_ name: String) throws(StorageError) { try base.makeDirectory(name) }

    public func rename(
        _ name: String, to other: String, in directory: (any FileDirectory)?, replacing: Bool
    ) throws(StorageError) {
        let target = (directory as? any FileDirectoryDecorator)?.base ?? directory
        try base.rename(name, to: other, in: target, replacing: replacing)
    }

    public func link(_ name: String, as other: String) throws(StorageError) {
        try base.link(name, as: other)
    }

    public func removeEntry(_ name: String) throws(StorageError) { try base.removeEntry(name) }
    public func sync() throws(StorageError) { try base.sync() }
    public func lock() throws(StorageError) -> Bool { try base.lock() }
    public func lockShared() throws(StorageError) -> Bool { try base.lockShared() }
    public func unlock() { base.unlock() }
    public func whereabouts() throws(StorageError) -> DirectoryWhereabouts {
        try base.whereabouts()
    }
}
