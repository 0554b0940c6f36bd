public import BrowserSessions

extension FileEngine {
    /// Returns whether a store of this engine is in the directory at a path, or in the one that a
    /// link leads to.
    ///
    /// It checks the identity or, if that is lost, the names of the files. It does not lock, open
    /// or change anything. Returns `false` if there is no directory; throws if it cannot be
    /// examined.
    public func hasStore(at path: String) throws(StorageError) -> Bool {
        let directory: PosixDirectory
        do throws(StorageError) {
            directory = try PosixDirectory(opening: path, followingLink: true)
        } catch {
            if [.notFound, .unsafeLocation].contains(error.code) { return false }
            throw error
        }
        if try directory.has(StoreIdentity.removedName) { return false }
        for file in StoreIdentity.fileNames where try directory.status(of: file)?.kind == .file {
            if let identity = try StoreIdentity.read(file, in: directory) {
                return identity.backend == name
            }
        }
        let partition = StoragePartition.regular.rawValue
        guard try directory.status(of: partition)?.kind == .directory else { return false }
        let names = try directory.directory(partition).names()
        return !names.isEmpty && recognizes(names)
    }
}
