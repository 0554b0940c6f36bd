package import BrowserSessions

/// Files by path, for tools and tests. Stores keep theirs in a ``FileDirectory``.
///
/// Files are made with mode 0600, directories with 0700. A symbolic link in the last part of a path
/// is followed only when a directory is listed. Paths and names are texts as defined by
/// `PathText`. Errors name the call and the path.
package enum FileSystem {
    /// Returns the status of what is at the path; `nil` if nothing is there.
    package static func status(_ path: String) throws(StorageError) -> FileStatus? {
        try PosixFileSystem().status(of: path)
    }

    /// Returns whether anything is at the path.
    package static func exists(_ path: String) throws(StorageError) -> Bool {
        try status(path) != nil
    }

    /// Makes a durable directory in an existing one.
    package static func makeDirectory(_ path: String) throws(StorageError) {
        let parent = try directory(of: path)
        try parent.makeDirectory(name(of: path))
        try parent.sync()
    }

    /// Makes a directory and missing parents.
    package static func makeDirectories(_ path: String) throws(StorageError) {
        try PosixFileSystem().makeDirectories(path)
    }

    /// Makes the entries of a directory survive a power cut.
    package static func syncDirectory(_ path: String) throws(StorageError) {
        try PosixDirectory(opening: path, followingLink: true).sync()
    }

    /// Returns the names in a directory, ascending, without `.` and `..`.
    package static func contents(of path: String) throws(StorageError) -> [String] {
        try PosixDirectory(opening: path, followingLink: true).names()
    }

    /// Renames a file or directory, and replaces a file that has the name.
    package static func move(_ path: String, to other: String) throws(StorageError) {
        try directory(of: path).rename(
            name(of: path), to: name(of: other), in: directory(of: other), replacing: true)
    }

    /// Renames a file or directory; throws if the name is taken.
    package static func move(_ path: String, toNew other: String) throws(StorageError) {
        try directory(of: path).rename(
            name(of: path), to: name(of: other), in: directory(of: other), replacing: false)
    }

    /// Removes a file, link or whole directory. Does nothing if it does not exist.
    package static func remove(_ path: String) throws(StorageError) {
        guard try exists(path) else { return }
        try directory(of: path).remove(name(of: path))
    }

    /// Copies a file or a whole directory to an unused path; the copy survives a power cut once its
    /// parent is synced. Links and special files are left out.
    package static func copy(_ path: String, to other: String) throws(StorageError) {
        guard try exists(path) else {
            throw StorageError(
                .notFound, "cannot copy '\(path)': nothing is there", operation: "copy")
        }
        try directory(of: path).copy(name(of: path), to: name(of: other), in: directory(of: other))
    }

    /// Reads a whole file.
    package static func read(_ path: String) throws(StorageError) -> [UInt8] {
        try directory(of: path).read(name(of: path))
    }

    /// Writes a file under a temporary name, syncs it, renames it and syncs the directory.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        try directory(of: path).replace(name(of: path), with: bytes)
    }

    /// Returns the path of the directory that contains a path.
    package static func parent(of path: String) -> String {
        let parts = PathText.names(of: path).dropLast()
        if PathText.isAbsolute(path) { return "/" + parts.joined(separator: "/") }
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    private static func directory(of path: String) throws(StorageError) -> PosixDirectory {
        try PosixDirectory(opening: parent(of: path), followingLink: true)
    }

    private static func name(of path: String) -> String {
        PathText.names(of: path).last ?? path
    }
}
