#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The locked directory of a store.
///
/// ```text
/// store.json, store-copy.json    who made it
/// lock                           locked by the one opener; names its process
/// regular/  incognito/           the two sides, each filled by the engine
/// regular.closed                 the sequence number at the last orderly close; while the store is
///                                in use and after a kill it is called regular.opened
/// incognito.sealed               how the incognito side is encrypted; incognito.key: its key, if
///                                that is kept in a file
/// quarantine/                    copies of damaged bytes
/// ```
final class StoreRoot: Sendable {
    let path: String
    /// Whether this opening makes the store, or one that was interrupted made it in part.
    let isNew: Bool
    private let stamp: StoreStamp
    private let lock: FileDescriptor

    static let stampNames = ["store.json", "store-copy.json"]
    private static let directoryNames: Set<String> = ["regular", "incognito", "quarantine"]
    private static let ownNames: Set<String> = [
        "store.json", "store-copy.json", "store.json.new", "store-copy.json.new", "lock",
    ]

    /// Finds or makes the store, checks that this engine made it, and locks it.
    init(_ configuration: StorageConfiguration, engine: any ByteStoreEngine)
        throws(StorageError)
    {
        path = try Self.plainPath(configuration.location)
        stamp = StoreStamp(backend: engine.name, engineFormat: engine.formatVersion)
        let mayCreate = configuration.mayCreate
        let present = try Self.examine(path)
        if !present && !mayCreate { throw Self.absent(path) }
        if !present { try FileSystem.makeDirectories(path) }
        // Before anything is touched: is it ours? And again, because somebody else may have made
        // a store between the look and the lock.
        _ = try Self.findStamp(path, stamp, mayCreate)
        lock = try Self.takeLock("\(path)/lock")
        let found = try Self.findStamp(path, stamp, mayCreate)
        isNew = found == nil
        if isNew { try FileSystem.makeDirectory("\(path)/\(StorageSide.regular.rawValue)") }
    }

    deinit { lock.unlock() }

    /// Writes the stamps that are missing or damaged. A new store gets its stamps when everything
    /// else is there, so that an interrupted making is known from damage.
    func writeStamps() throws(StorageError) {
        for name in Self.stampNames {
            let file = "\(path)/\(name)"
            guard try Self.readStamp(file) != stamp else { continue }
            do throws(StorageError) {
                try FileSystem.replace(file, with: stamp.json)
            } catch {
                // The other one is sound. A full disk is no reason not to read.
                if isNew { throw error }
            }
        }
    }

    /// The stamp of the store; `nil` if there is none. Throws if the store is not one of this
    /// engine, or if the directory holds something else.
    private static func findStamp(_ path: String, _ own: StoreStamp, _ mayCreate: Bool)
        throws(StorageError) -> StoreStamp?
    {
        let names = try FileSystem.contents(of: path)
        let found = try stamp(at: path)
        if let found { try check(found, against: own, path) }
        for name in names where directoryNames.contains(name) {
            _ = try examine("\(path)/\(name)")
        }
        let hasSides = names.contains { $0.hasPrefix("regular") || $0.hasPrefix("incognito") }
        if found == nil && !hasSides {
            guard names.allSatisfy(ownNames.contains) else {
                throw StorageError(
                    .unsafeLocation,
                    "'\(path)' holds other files and no store; name an empty or new directory")
            }
            if !mayCreate { throw absent(path) }
        }
        return found
    }

    private static func absent(_ path: String) -> StorageError {
        StorageError(.notFound, "there is no store at '\(path)', and none was to be made")
    }

    /// Without what would let the system follow a link in the last part: `/` and `/.` at the end.
    private static func plainPath(_ location: String) throws(StorageError) -> String {
        guard !location.utf8.contains(0) else {
            throw StorageError(
                .invalidConfiguration, "the store's location contains a zero character")
        }
        var path = Substring(location)
        while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
        return String(path)
    }

    /// Whether the location exists; throws if it is not a directory of this user.
    private static func examine(_ path: String) throws(StorageError) -> Bool {
        guard !path.isEmpty else {
            throw StorageError(.invalidConfiguration, "the store's location is empty")
        }
        guard let status = try FileSystem.status(path) else { return false }
        let problem: String? =
            switch status.kind {
            case .directory: nil
            case .file: "is a file"
            case .link: "is a symbolic link"
            case .other: "is not a directory"
            }
        if let problem {
            throw StorageError(.unsafeLocation, "'\(path)' \(problem); a store needs a directory")
        }
        guard status.owner == geteuid() else {
            throw StorageError(
                .unsafeLocation,
                "'\(path)' belongs to user \(status.owner), not to this one (\(geteuid()))")
        }
        // Found out later, it would be after the sides had been opened, and changed.
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw FileSystem.error("use", path)
        }
        return true
    }

    /// The stamp of a store; `nil` if there is none.
    private static func stamp(at path: String) throws(StorageError) -> StoreStamp? {
        for name in stampNames {
            if let stamp = try readStamp("\(path)/\(name)") { return stamp }
        }
        return nil
    }

    /// `nil` if there is no such file or it is damaged: there is another copy.
    private static func readStamp(_ file: String) throws(StorageError) -> StoreStamp? {
        guard let status = try FileSystem.status(file) else { return nil }
        guard status.kind == .file else {
            throw StorageError(.unsafeLocation, "'\(file)' is not a file")
        }
        return status.size <= 4096 ? StoreStamp(json: try FileSystem.read(file)) : nil
    }

    private static func check(_ found: StoreStamp, against own: StoreStamp, _ path: String)
        throws(StorageError)
    {
        guard found.backend == own.backend else {
            throw StorageError(
                .incompatibleFormat,
                """
                the store at '\(path)' was made by backend '\(found.backend)', not \
                '\(own.backend)'; open it with that, or copy it: sessionctl migrate \
                --from \(found.backend)://\(path) --to \(own.backend)://NEW-LOCATION
                """)
        }
        guard found.format <= own.format, found.engineFormat <= own.engineFormat else {
            throw StorageError(
                .incompatibleFormat,
                """
                the store at '\(path)' has format \(found.format).\(found.engineFormat), newer \
                than \(own.format).\(own.engineFormat), which this version reads; update it
                """)
        }
    }

    private static func takeLock(_ file: String) throws(StorageError) -> FileDescriptor {
        let descriptor = try FileDescriptor(opening: file, O_RDWR | O_CREAT)
        guard try descriptor.lock() else {
            let text = String(decoding: try descriptor.read(100, at: 0), as: UTF8.self)
            let holder = text.split(separator: "\n").first.map(String.init) ?? "another process"
            throw StorageError(
                .locked, "the store is in use by \(holder); close it there or try again later")
        }
        // Only for the message above: without space for it the store opens all the same.
        let name = [UInt8]("process \(getpid())\n".utf8)
        try? descriptor.write(name)
        try? descriptor.truncate(to: name.count)
        return descriptor
    }
}
