import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A copy of a store for whoever may not change it: among the system's temporary files, for as long as it
/// lives.
///
/// Engines change their files when they open them, even to read. So they get a copy, and the store stays as
/// it is to the last byte, on a medium that can only be read, too. It is locked while it is copied.
///
/// A process that is killed leaves its copy until another one sweeps it: of the regular side that is
/// readable by its owner, as the store itself is; a sealed side says nothing, because keys are not copied.
final class ReadOnlyCopy {
    /// The store's own directory.
    let source: any FileDirectory
    /// How to open the copy.
    private(set) var configuration: StorageConfiguration
    private let temporary: any FileDirectory
    private let name: String

    private static let prefix = "browser-sessions-read-"
    /// A copy that nobody has open was left by a process that was killed, if it is older than so many
    /// seconds.
    private static let longestMaking: Int64 = 3600

    init(
        of configuration: StorageConfiguration, engine: any FileEngine,
        on fileSystem: any LocalFileSystem, in environment: StoreEnvironment
    ) throws(StorageError) {
        let path = try LocalHome.plainPath(configuration.location)
        guard let status = try fileSystem.status(of: path) else { throw LocalHome.absent(path) }
        try status.requireOwnDirectory(path, user: fileSystem.user)
        source = try fileSystem.directory(at: path)
        try LocalHome.requireLocal(source, configuration)
        let folder = Self.temporaryPath
        temporary = try fileSystem.directory(at: fileSystem.realPath(of: folder) ?? folder)
        name = Self.prefix + String(environment.random(), radix: 36)
        self.configuration = configuration
        self.configuration.location = temporary.path(of: name)
        self.configuration.options["access"] = nil
        Self.sweep(temporary, user: fileSystem.user, now: environment.seconds)
        guard try source.lock() else { throw LocalHome.locked(source) }
        defer { source.unlock() }
        try LocalHome.requirePlace(of: source, on: fileSystem, mayCreate: false)
        let identity = StoreIdentity(backend: engine.name, engineFormat: engine.formatVersion)
        let finding = HomeFinding(source, identity, engine, user: fileSystem.user)
        guard case .store = try finding.examine(mayCreate: false),
            try !source.has(StoreIdentity.removedName)
        else {
            throw LocalHome.absent(path)
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
            // Whoever sweeps leaves it alone.
            guard try target.lock() else { throw LocalHome.locked(target) }
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

    /// Throws if there is less space than the copy takes, instead of filling up what others need, too.
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

    /// Whether a name is of the sides, or tells about them; what was set aside and the keys are not.
    private static func isOfRecords(_ name: String) -> Bool {
        if StoreIdentity.fileNames.contains(name) { return true }
        return StorageSide.allCases.contains { name.hasPrefix($0.rawValue) }
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

/// The keys of a store that may not be changed: they are asked of the store itself, and stay.
private struct ReadOnlyKeyStore: IncognitoKeyStore {
    let base: any IncognitoKeyStore
    /// The store's own directory, if it has one.
    let source: (any FileDirectory)?

    var name: String { base.name }
    var survives: Durability { base.survives }
    var keepsKeysInStore: Bool { base.keepsKeysInStore }
    var era: String? { base.era }

    func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?) throws {
        throw StorageError.readOnly
    }

    func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws -> SecretBytes? {
        try base.key(for: id, of: source)
    }

    /// A key that an interrupted deletion left is for an opening that may change the store.
    func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) {}
}

extension IncognitoProtection {
    /// The same for a copy of a store, or a view of one that has no directory.
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
    /// What every call that changes something says.
    static let readOnly = StorageError(
        .permissionDenied,
        "the store was opened for reading only, so nothing was changed; open it with access=readWrite"
    )
}
