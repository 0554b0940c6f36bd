public import BrowserSessions

extension FileEngine {
    /// Whether a store of this engine lies in the directory at a path, or in the one that a link leads to.
    ///
    /// Its identity tells, and if that is lost the names of its files. Nothing is locked, opened or changed.
    /// `false` if nothing is there or it is no directory; throws if it cannot be looked at.
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
        let side = StorageSide.regular.rawValue
        guard try directory.status(of: side)?.kind == .directory else { return false }
        let names = try directory.directory(side).names()
        return !names.isEmpty && recognizes(names)
    }
}
