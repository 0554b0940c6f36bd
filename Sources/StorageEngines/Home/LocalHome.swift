public import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a store lives on this machine: one locked directory.
///
/// ```text
/// store.json, store-copy.json    who made it: its identity
/// lock                           names the process that has it open; the lock is the directory's
/// regular/  incognito/           the two sides, each filled by the engine
/// regular.closed                 the sequence number at the last orderly close; while the store is
///                                in use and after a kill it is called regular.opened
/// regular.checksums              what the side's files were then, if the engine does not find damage itself
/// incognito.sealed               how the incognito side is encrypted, in two copies; incognito.key:
/// incognito-copy.sealed          its key, if that is kept in a file
/// incognito-next.sealed          the same of a new sealing; see ``exchangeResealed()``
/// quarantine/                    damaged sides and records
/// store.removed                  what one copy of the identity is called once the store is being removed
/// ```
/// What is called `.new` was being written, `.repaired` is a side being built anew, `.copy` one being read,
/// and `.replaced` and `.removed` are on their way out; each opening sweeps them.
///
/// All names are relative to the directory, which is held open: a store that is moved while it is in
/// use goes on where it is, and whoever makes another one at its path is not disturbed.
final class LocalHome: StoreHome {
    let directory: any FileDirectory
    let engine: any FileEngine
    let fileSystem: any LocalFileSystem
    let environment: StoreEnvironment
    let isNew: Bool
    let identity: StoreIdentity
    /// Nobody could tell by the identity who made the store, only by its files.
    let hadNoIdentity: Bool
    /// What went at this opening because it was kept for long enough.
    var removedFromQuarantine: [String] = []
    /// The copy that this is the home of, if the store may not be changed.
    let copy: ReadOnlyCopy?

    /// After a sync that failed, what is read may come from memory and be on no disk.
    var tellsOutcomes: Bool { false }
    var abilities: EngineAbilities { engine.abilities }
    var isReadOnly: Bool { copy != nil }
    var place: String { copy?.source.path ?? directory.path }

    /// The home of a copy of a store.
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
        identity = StoreIdentity(backend: engine.name, engineFormat: engine.formatVersion)
        directory = try Self.find(path, on: fileSystem, mayCreate: configuration.mayCreate)
        try Self.requireLocal(directory, configuration)
        // Before any look inside: of a store that another opener makes, changes or removes, a look sees
        // half. The lock changes nothing, whatever the directory is.
        guard try directory.lock() else { throw Self.locked(directory) }
        do throws(StorageError) {
            try Self.requirePlace(
                of: directory, on: fileSystem, mayCreate: configuration.mayCreate)
            let finding = HomeFinding(directory, identity, engine, user: fileSystem.user)
            let found = try finding.examine(mayCreate: configuration.mayCreate)
            (isNew, hadNoIdentity) = (found == .nothing, found == .store(hasIdentity: false))
            Self.nameHolder(of: directory, word: environment.random())
            if isNew {
                try fileSystem.syncNames(of: path)
                _ = try directory.makeDurableDirectory(StorageSide.regular.rawValue)
            }
        } catch {
            directory.unlock()
            throw error
        }
    }

    deinit { directory.unlock() }

    /// Writes the copies of the identity that are missing or damaged.
    func writeIdentity() throws(StorageError) {
        for name in StoreIdentity.fileNames {
            guard try StoreIdentity.read(name, in: directory) != identity else { continue }
            do throws(StorageError) {
                try directory.replace(name, with: identity.json)
            } catch {
                // The other one is sound. A full disk is no reason not to read.
                if isNew { throw error }
            }
        }
    }

    /// The lock is held as long as the directory is open.
    func requireOwnership() {}
    var requests: Int { 0 }
    func confirmOwnership() {}

    func requirePresence() throws(StorageError) {
        // A look that fails says nothing.
        if (try? directory.isRemoved()) == true { throw StorageError.removed(place) }
    }

    var notes: [String] {
        get throws(StorageError) {
            var notes = removedFromQuarantine
            if hadNoIdentity, copy == nil {
                notes.append("store.json and its copy were missing or damaged, and were made anew")
            }
            if try directory.whereabouts() == .moved {
                notes.append(
                    "the store was moved while it was open: it is not at '\(place)' any more")
            }
            return notes
        }
    }

    static func absent(_ path: String) -> StorageError {
        StorageError(.notFound, "there is no store at '\(path)', and none was to be made")
    }

    /// Without what would let the system follow a link in the last part: `/` and `/.` at the end.
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

    /// Opens the directory at a path, or makes it; throws if it is not one of this user.
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
            // Found out later, it would be after the sides had been opened, and changed.
            if status != nil { try fileSystem.requireAccess(to: path) }
            return try fileSystem.directory(at: path)
        } catch {
            guard error.code == .notFound else { throw error }
            throw mayCreate ? exchanged(path) : absent(path)
        }
    }

    /// Throws if the directory that is locked is not the one at its path any more: another opener may
    /// have removed the store or moved it away, and made another one, since the directory was found.
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

    /// Somebody else has the directory.
    static func locked(_ directory: any FileDirectory) -> StorageError {
        let bytes = (try? directory.open(LockFile.name, .read).read(100, at: 0)) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        let holder = text.split(separator: "\n").first.map(String.init) ?? "another process"
        return StorageError(
            .locked, "the store is in use by \(holder); close it there or try again later")
    }

    /// The lock is the directory's own, so that nobody can remove or replace it. A file tells who has
    /// it.
    private static func nameHolder(of directory: any FileDirectory, word: UInt64) {
        // For the message above, and to know the directory again under another path: without space for it
        // the store opens all the same.
        let text = "process \(getpid())\n\(String(word, radix: 36))\n"
        try? directory.removeEntry(LockFile.name)
        try? directory.open(LockFile.name, .new).write([UInt8](text.utf8))
    }
}

extension StorageError {
    /// The store at a path, or a file of it, was removed while it was in use: for engines, too.
    public static func removed(_ path: String) -> StorageError {
        StorageError(
            .durabilityLost,
            """
            '\(path)' was removed while the store was in use, and with it what was saved; close the \
            store, open it again and save everything
            """, effect: .indeterminate)
    }
}
