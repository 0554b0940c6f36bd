import BrowserSessions

/// A temporary copy of a store, for openers that may not change the store.
///
/// Engines change their files when they open them, even to read. So they get a copy, and the store
/// stays the same to the last byte, on a read-only medium too.
///
/// If the process is killed, the copy stays until another process removes it. Its regular partition
/// is then readable by its owner, as the store itself is; a sealed partition is not, because keys
/// are not copied.
final class ReadOnlyCopy {
    /// The store's own directory.
    let source: any FileDirectory
    /// How to open the copy.
    let configuration: StorageConfiguration
    /// Whether another opener had the store while it was copied: what looks like damage may be a file
    /// that changed.
    let isLive: Bool
    /// The copy, which is locked.
    let directory: any FileDirectory
    /// What removes the copy; `nil` for one that stays.
    private let folder: PrivateFolder?

    /// Copies a store that no process has open; it is locked while it is copied.
    convenience init(
        of configuration: StorageConfiguration, engine: any FileEngine,
        on fileSystem: any LocalFileSystem, in environment: StoreEnvironment
    ) throws(StorageError) {
        try self.init(configuration, fileSystem, environment, isLive: false)
        guard try source.lock() else { throw StoreHolder.locked(source) }
        defer { source.unlock() }
        try StoreDirectory.requirePlace(of: source, on: fileSystem, mayCreate: false)
        try requireStore(of: engine, user: fileSystem.user)
        try explaining { () throws(StorageError) in
            let names = try source.names().filter(Self.isOfRecords)
            var needed = 0
            for name in names {
                let bytes = try source.writtenBytes(of: name)
                needed = bytes > .max - needed ? .max : needed + bytes
            }
            try requireSpace(needed)
            for name in names {
                try source.copy(name, to: name, in: directory, durably: false)
            }
        }
    }

    /// Copies the regular partition of a store that another opener may have, without its lock. Throws
    /// `unavailable` if the files changed in a way that spoils the copy.
    ///
    /// - Parameter directory: a locked directory for the copy, which then stays; `nil` for one that
    ///   goes with this object.
    convenience init(
        ofLive configuration: StorageConfiguration, engine: any FileEngine,
        on fileSystem: any LocalFileSystem, in environment: StoreEnvironment,
        to directory: (any FileDirectory)? = nil
    ) throws(StorageError) {
        try self.init(configuration, fileSystem, environment, isLive: true, in: directory)
        let store = LiveStore(source)
        try store.noticingChanges { () throws(StorageError) in
            try requireStore(of: engine, user: fileSystem.user)
        }
        try store.noticingChanges { () throws(StorageError) in
            try explaining { () throws(StorageError) in
                // No file is opened for that: closing it could drop a lock of an owner in this process.
                try requireSpace(source.bytes(of: StoragePartition.regular.rawValue))
                try store.copy(to: self.directory, with: engine)
            }
        }
    }

    /// Finds the store, and makes an empty folder for its copy.
    private init(
        _ configuration: StorageConfiguration, _ fileSystem: any LocalFileSystem,
        _ environment: StoreEnvironment, isLive: Bool, in directory: (any FileDirectory)? = nil
    ) throws(StorageError) {
        let path = try StoreDirectory.plainPath(configuration.location)
        guard let status = try fileSystem.status(of: path) else {
            throw StoreDirectory.absent(path)
        }
        try status.requireOwnDirectory(path, user: fileSystem.user)
        source = try fileSystem.directory(at: path)
        try StoreDirectory.requireLocal(source, configuration)
        PrivateFolder.sweep(on: fileSystem)
        let copy: any FileDirectory
        if let directory {
            (copy, folder) = (directory, nil)
        } else {
            do throws(StorageError) {
                let folder = try PrivateFolder(on: fileSystem, in: environment)
                (copy, self.folder) = (folder.directory, folder)
            } catch { throw Self.explained(error, "the folder for temporary files") }
        }
        self.directory = copy
        self.isLive = isLive
        var copied = configuration
        copied.location = copy.path
        copied.options["access"] = nil
        self.configuration = copied
    }

    /// Throws `notFound` unless the directory holds a store of the engine that is not being removed.
    private func requireStore(of engine: any FileEngine, user: UInt32) throws(StorageError) {
        let finding = StoreFinding(source, engine, user: user)
        guard case .store = try finding.examine(mayCreate: false),
            try !source.has(StoreIdentity.removedName)
        else {
            throw StoreDirectory.absent(source.path)
        }
    }

    private func explaining(_ work: () throws(StorageError) -> Void) throws(StorageError) {
        do throws(StorageError) { try work() } catch {
            // Files that change have nothing to do with the place of their copy.
            if isLive, [.unavailable, .notFound].contains(error.code) { throw error }
            guard let folder else { throw error }
            throw Self.explained(error, "'\(folder.parent.path)'")
        }
    }

    private static func explained(_ error: StorageError, _ place: String) -> StorageError {
        var error = error
        error.message =
            "the store is read from a copy in \(place), which could not be made: "
            + "\(error.message); TMPDIR names another place for it"
        return error
    }

    /// Throws if there is too little space for the copy, rather than filling the disk for others.
    private func requireSpace(_ needed: Int) throws(StorageError) {
        let free = (folder?.parent ?? directory).freeBytes
        // 0 is unknown.
        guard free > 0, needed > free else { return }
        throw StorageError(
            .outOfSpace, "it has at least \(needed) bytes, and there is space for \(free)",
            operation: "copy")
    }

    /// Returns whether a name belongs to a partition or describes one; keys and quarantine do not.
    private static func isOfRecords(_ name: String) -> Bool {
        if StoreIdentity.fileNames.contains(name) { return true }
        return StoragePartition.allCases.contains { name.hasPrefix($0.rawValue) }
            && !name.hasSuffix(".key")
    }
}

/// The keys of a store that may not be changed: reads them from the store, and changes nothing.
private struct ReadOnlyKeyStore: IncognitoKeyStore {
    let base: any IncognitoKeyStore
    /// The store's own directory, if it has one.
    let source: (any FileDirectory)?

    var name: String { base.name }
    var survives: Durability { base.survives }
    var keepsKeysInStore: Bool { base.keepsKeysInStore }
    var keyScope: String? { base.keyScope }

    func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?) throws {
        throw StorageError.readOnly
    }

    func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws -> SecretBytes? {
        try base.key(for: id, of: source)
    }

    /// Does nothing: an opening that may change the store destroys what a deletion left.
    func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) {}
}

extension IncognitoProtection {
    /// Returns the protection for a copy of a store, or for a view of one that has no directory.
    func forCopy(of source: (any FileDirectory)?) -> IncognitoProtection {
        var protection = self
        protection.keyStore = ReadOnlyKeyStore(base: keyStore, source: source)
        protection.otherKeyStores = otherKeyStores.map {
            ReadOnlyKeyStore(base: $0, source: source)
        }
        return protection
    }
}

extension StorageError {
    /// The error of every call that would change something.
    static let readOnly = StorageError(
        .permissionDenied,
        "the store was opened for reading only, so nothing was changed; open it with access=readWrite"
    )
}
