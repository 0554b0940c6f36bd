import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A temporary copy of a store, for openers that may not change the store.
///
/// Engines change their files when they open them, even to read. So they get a copy, and the store
/// stays the same to the last byte, on a read-only medium too. The copy is locked while it is made.
///
/// If the process is killed, the copy stays until another process removes it. Its regular partition
/// is then readable by its owner, as the store itself is; a sealed partition is not, because keys
/// are not copied.
final class ReadOnlyCopy {
    /// The store's own directory.
    let source: any FileDirectory
    /// How to open the copy.
    private(set) var configuration: StorageConfiguration
    private let temporary: any FileDirectory
    private let name: String

    private static let prefix = "browser-sessions-read-"
    /// The age in seconds above which an unlocked copy was left by a killed process.
    private static let longestMaking: Int64 = 3600

    init(
        of configuration: StorageConfiguration, engine: any FileEngine,
        on fileSystem: any LocalFileSystem, in environment: StoreEnvironment
    ) throws(StorageError) {
        let path = try StoreDirectory.plainPath(configuration.location)
        guard let status = try fileSystem.status(of: path) else {
            throw StoreDirectory.absent(path)
        }
        try status.requireOwnDirectory(path, user: fileSystem.user)
        source = try fileSystem.directory(at: path)
        try StoreDirectory.requireLocal(source, configuration)
        let folder = Self.temporaryPath
        temporary = try fileSystem.directory(at: fileSystem.realPath(of: folder) ?? folder)
        name = Self.prefix + String(environment.random(), radix: 36)
        self.configuration = configuration
        self.configuration.location = temporary.path(of: name)
        self.configuration.options["access"] = nil
        Self.sweep(temporary, user: fileSystem.user, now: environment.seconds)
        guard try source.lock() else { throw StoreDirectory.locked(source) }
        defer { source.unlock() }
        try StoreDirectory.requirePlace(of: source, on: fileSystem, mayCreate: false)
        let identity = StoreIdentity(backend: engine.name, engineFormat: engine.formatVersion)
        let finding = StoreFinding(source, identity, engine, user: fileSystem.user)
        guard case .store = try finding.examine(mayCreate: false),
            try !source.has(StoreIdentity.removedName)
        else {
            throw StoreDirectory.absent(path)
        }
        try copy()
    }

    deinit { try? temporary.remove(name) }

    private static var temporaryPath: String {
        let path = getenv("TMPDIR").map { PathText.text(cString: $0) } ?? ""
        return path.isEmpty ? "/tmp" : path
    }

    private func copy() throws(StorageError) {
        do throws(StorageError) {
            try temporary.makeDirectory(name)
            let target = try temporary.directory(name)
            // Cleanups leave a locked copy alone.
            guard try target.lock() else { throw StoreDirectory.locked(target) }
            defer { target.unlock() }
            let names = try source.names().filter(Self.isOfRecords)
            try requireSpace(for: names)
            for name in names {
                try source.copy(name, to: name, in: target, durably: false)
            }
        } catch {
            var error = error
            error.message =
                "the store is read from a copy in '\(temporary.path)', which could not be made: "
                + "\(error.message); TMPDIR names another place for it"
            throw error
        }
    }

    /// Throws if there is too little space for the copy, rather than filling the disk for others.
    private func requireSpace(for names: [String]) throws(StorageError) {
        var needed = 0
        let free = temporary.freeBytes
        // 0 is unknown.
        guard free > 0 else { return }
        for name in names where needed <= free {
            let bytes = try source.writtenBytes(of: name)
            needed = bytes > .max - needed ? .max : needed + bytes
        }
        guard needed > free else { return }
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

    /// Removes what killed processes left. What cannot be removed stays for another time.
    private static func sweep(_ temporary: any FileDirectory, user: UInt32, now: Int64) {
        for name in (try? temporary.names()) ?? [] where name.hasPrefix(prefix) {
            guard let status = try? temporary.status(of: name), status.kind == .directory,
                status.owner == user, status.modified < now - longestMaking,
                let copy = try? temporary.directory(name), (try? copy.lock()) == true
            else { continue }
            try? temporary.remove(name)
            copy.unlock()
        }
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
