public import BrowserSessions

/// The directory that holds a store on this machine, locked while the store is open.
///
/// ```text
/// store.json, store-copy.json    the store's identity: who made it
/// lock                           names the process that has it open; the lock is the directory's
/// regular/  incognito/           the two partitions, each filled by the engine
/// regular.closed                 the sequence number at the last clean close; while the store is
///                                in use and after a kill it is called regular.opened
/// regular.checksums              checksums of its files then, if the engine does not find damage
/// incognito.sealed               how the incognito partition is encrypted, in two copies;
/// incognito-copy.sealed          incognito.key: its key, if that is kept in a file
/// incognito-next.sealed          the same of a new sealing; see ``exchangeResealed()``
/// quarantine/                    damaged partitions and records
/// store.removed                  one copy of the identity, renamed once the store is being removed
/// ```
/// A name with `.new` was being written, `.repaired` is a partition being rebuilt, `.copy` one
/// being read, and `.replaced` and `.removed` are being removed. Each opening cleans them up.
///
/// All names are relative to the directory, which is held open: a store that is moved while in use
/// continues there, and does not disturb another one that is made at its old path.
final class StoreDirectory: StoreRoot {
    let directory: any FileDirectory
    let engine: any FileEngine
    let fileSystem: any LocalFileSystem
    let environment: StoreEnvironment
    let isNew: Bool
    let identity: StoreIdentity
    /// The identity was unreadable; only the files showed which engine made the store.
    let hadNoIdentity: Bool
    private var holder: StoreHolder
    var wasHere: Bool { holder.wasHere }
    /// The directories of the partitions that were opened.
    var stamps: [StoragePartition: FileStamp] = [:]
    /// Why what was found here cannot be made durable any more.
    var syncFailure: StorageError?
    /// What this opening removed because it had been kept long enough.
    var removedFromQuarantine: [String] = []
    /// The copy in this directory, if the store may not be changed.
    let copy: ReadOnlyCopy?

    /// `false`: after a failed sync, what is read may come from memory and be on no disk.
    var canResolveUnknownWrites: Bool { false }
    var abilities: EngineAbilities { engine.abilities }
    var isReadOnly: Bool { copy != nil }
    var refusesDamage: Bool { copy?.isLive == true }
    var location: String { copy?.source.path ?? directory.path }

    /// Opens the copy of a store.
    convenience init(
        _ copy: ReadOnlyCopy, engine: any FileEngine, on fileSystem: any LocalFileSystem,
        in environment: StoreEnvironment
    ) throws(StorageError) {
        try self.init(
            copy.configuration, engine: engine, on: fileSystem, in: environment, copy: copy)
    }

    /// Finds or makes the store, checks that this engine made it, and locks it.
    init(
        _ configuration: StorageConfiguration, engine: any FileEngine,
        on fileSystem: any LocalFileSystem, in environment: StoreEnvironment,
        copy: ReadOnlyCopy? = nil
    ) throws(StorageError) {
        self.engine = engine
        self.fileSystem = fileSystem
        self.copy = copy
        self.environment = environment
        let path = try Self.plainPath(configuration.location)
        if let copy {
            directory = copy.directory
        } else {
            directory = try Self.find(path, on: fileSystem, mayCreate: configuration.mayCreate)
            try Self.requireLocal(directory, configuration)
            // Before reading anything: a store that another opener makes, changes or removes is half
            // there. The lock changes nothing, whatever the directory is.
            guard try directory.lock() else { throw StoreHolder.locked(directory) }
        }
        do throws(StorageError) {
            try Self.requirePlace(
                of: directory, on: fileSystem, mayCreate: configuration.mayCreate)
            let finding = StoreFinding(directory, engine, user: fileSystem.user)
            let found = try finding.examine(mayCreate: configuration.mayCreate)
            (isNew, hadNoIdentity) = (found == .nothing, found == .store(nil))
            holder = try StoreHolder(of: directory, token: environment.random())
            identity = finding.own.ofStore(found.identity, copy == nil ? environment : nil)
            if isNew {
                try fileSystem.syncNames(of: path)
                _ = try directory.makeDurableDirectory(StoragePartition.regular.rawValue)
            }
        } catch {
            if copy == nil { directory.unlock() }
            throw error
        }
    }

    deinit {
        // A copy keeps its lock as long as it is there.
        if copy == nil { directory.unlock() }
    }

    /// Writes missing or damaged copies of the identity.
    func writeIdentity() throws(StorageError) {
        for name in StoreIdentity.fileNames {
            guard try StoreIdentity.read(name, in: directory) != identity else { continue }
            do throws(StorageError) {
                try directory.replace(name, with: identity.json)
            } catch {
                // The other one is sound. A full disk does not prevent reading.
                if isNew { throw error }
            }
        }
    }

    func requireOwnership() throws(StorageError) { try holder.requireNotReplaced() }
    var requests: Int { 0 }
    func confirmOwnership() {}

    func requirePresence(of partition: StoragePartition) throws(StorageError) {
        try holder.confirm()
        if let syncFailure { throw syncFailure }
        guard let own = stamps[partition] else { return }
        let found: FileStamp?
        do throws(StorageError) {
            found = try directory.stamp(of: partition.rawValue, timed: true)
        } catch {
            // A check that fails says nothing.
            return
        }
        let path = directory.path(of: partition.rawValue)
        guard let found else { throw StorageError.removed(path) }
        guard found.isOfFile(own) else { throw StorageError.replaced(path) }
    }

    var notes: [String] {
        get throws(StorageError) {
            var notes = removedFromQuarantine
            if hadNoIdentity, copy == nil {
                notes.append("store.json and its copy were missing or damaged, and were rewritten")
            }
            if try directory.whereabouts() == .moved {
                notes.append(
                    "the store was moved while it was open: it is not at '\(location)' any more")
            }
            return notes
        }
    }

    static func absent(_ path: String) -> StorageError {
        StorageError(.notFound, "there is no store at '\(path)', and none was to be made")
    }

    /// Returns the path without `/` and `/.` at its end, with which the system would follow a link.
    static func plainPath(_ location: String) throws(StorageError) -> String {
        guard !location.utf8.contains(0) else {
            throw StorageError(
                .invalidConfiguration, "the store's location contains a zero character")
        }
        var path = Substring(location)
        while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
        guard !path.isEmpty else {
            throw StorageError(.invalidConfiguration, "the store's location is empty")
        }
        return String(path)
    }

    /// Opens the directory at a path, or makes it; throws if it is not this user's.
    private static func find(
        _ path: String, on fileSystem: any LocalFileSystem, mayCreate: Bool
    ) throws(StorageError) -> any FileDirectory {
        let status = try fileSystem.status(of: path)
        if let status {
            try status.requireOwnDirectory(path, user: fileSystem.user)
        } else {
            guard mayCreate else { throw absent(path) }
            try fileSystem.makeDirectories(path)
        }
        do throws(StorageError) {
            // Checked now, because later the partitions would already have been opened and changed.
            if status != nil { try fileSystem.requireAccess(to: path) }
            return try fileSystem.directory(at: path)
        } catch {
            guard error.code == .notFound else { throw error }
            throw mayCreate ? exchanged(path) : absent(path)
        }
    }

    /// Throws if the locked directory is not at its path any more: since it was found, another
    /// opener may have removed or moved the store, and made another one.
    static func requirePlace(
        of directory: any FileDirectory, on fileSystem: any LocalFileSystem, mayCreate: Bool
    ) throws(StorageError) {
        if try directory.whereabouts() == .inPlace { return }
        let isGone = try fileSystem.status(of: directory.path) == nil
        throw isGone && !mayCreate ? absent(directory.path) : exchanged(directory.path)
    }

    private static func exchanged(_ path: String) -> StorageError {
        StorageError(
            .locked, "the directory '\(path)' was exchanged while it was opened; try again")
    }

    static func requireLocal(
        _ directory: any FileDirectory, _ configuration: StorageConfiguration
    ) throws(StorageError) {
        guard !configuration.allowsNetworkDisk, let kind = directory.remoteFileSystem else {
            return
        }
        throw StorageError(
            .unsafeLocation,
            """
            '\(directory.path)' is on a network file system (\(kind)), where locks and syncs may mean \
            little; name a directory on a local disk, or set the option 'allowNetworkDisk'
            """)
    }
}

extension StorageError {
    /// The error for a store, or one of its files, that was removed while in use; for engines too.
    public static func removed(_ path: String) -> StorageError {
        StorageError(
            .durabilityLost,
            """
            '\(path)' was removed while the store was in use, and with it what was saved; close the \
            store, open it again and save everything
            """, effect: .indeterminate)
    }

    /// The error for a file or directory of a store that another one took the place of while it was in use.
    static func replaced(_ path: String) -> StorageError {
        StorageError(
            .durabilityLost,
            """
            another file took the place of '\(path)' while the store was in use, and no opening will see what \
            was saved: keep backups and programs that synchronize folders away from it; close the store, open it \
            again and save everything
            """, effect: .indeterminate)
    }
}
