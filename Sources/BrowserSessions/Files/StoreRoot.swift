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
/// regular.closed                 the sequence number at the last orderly close
/// quarantine/                    copies of damaged bytes
/// ```
final class StoreRoot: Sendable {
    let path: String
    /// Whether this opening made the store.
    let isNew: Bool
    private let lock: FileDescriptor

    static let stampNames = ["store.json", "store-copy.json"]
    private static let ownNames: Set<String> = [
        "store.json", "store-copy.json", "store.json.new", "store-copy.json.new", "lock",
    ]

    /// Finds or makes the store, checks that this engine made it, and locks it.
    init(_ configuration: StorageConfiguration, engine: any ByteStoreEngine)
        throws(StorageError)
    {
        path = Self.withoutTrailingSlash(configuration.location)
        let present = try Self.examine(path)
        if !present && !configuration.mayCreate { throw Self.absent(path) }
        if !present { try FileSystem.makeDirectories(path) }
        // Before anything is touched: is it ours?
        let names = try FileSystem.contents(of: path)
        let stamp = StoreStamp(backend: engine.name, engineFormat: engine.formatVersion)
        let found = try Self.stamp(at: path)
        if let found { try Self.check(found, against: stamp, path) }
        let hasSides = names.contains { $0.hasPrefix("regular") || $0.hasPrefix("incognito") }
        if found == nil && !hasSides {
            guard names.allSatisfy(Self.ownNames.contains) else {
                throw StorageError(
                    .unsafeLocation,
                    "'\(path)' holds other files and no store; name an empty or new directory")
            }
            if !configuration.mayCreate { throw Self.absent(path) }
        }
        lock = try Self.takeLock("\(path)/lock")
        isNew = found == nil && !hasSides
        if isNew { try FileSystem.makeDirectory("\(path)/\(StorageSide.regular.rawValue)") }
        for name in Self.stampNames {
            let file = "\(path)/\(name)"
            if try Self.readStamp(file) != stamp { try FileSystem.replace(file, with: stamp.json) }
        }
    }

    private static func absent(_ path: String) -> StorageError {
        StorageError(.notFound, "there is no store at '\(path)', and none was to be made")
    }

    private static func withoutTrailingSlash(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
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
        try descriptor.truncate(to: 0)
        try descriptor.write([UInt8]("process \(getpid())\n".utf8))
        return descriptor
    }
}

// MARK: - Sides

extension StoreRoot {
    /// The directory of a side.
    func directory(of side: StorageSide) -> String { "\(path)/\(side.rawValue)" }

    private func closedFile(of side: StorageSide) -> String { "\(path)/\(side.rawValue).closed" }

    /// Notes the last sequence number at an orderly close, so that a rollback is noticed.
    func markClosed(_ side: StorageSide, sequence: UInt64) throws(StorageError) {
        try FileSystem.replace(closedFile(of: side), with: [UInt8]("\(sequence)\n".utf8))
    }

    /// The sequence number at the last orderly close; `nil` after an interrupted run.
    func closedSequence(of side: StorageSide) throws(StorageError) -> UInt64? {
        let file = closedFile(of: side)
        guard try FileSystem.exists(file) else { return nil }
        let text = String(decoding: try FileSystem.read(file), as: UTF8.self)
        return UInt64(text.prefix { $0.isNumber })
    }

    /// From now on the side may change.
    func markOpen(_ side: StorageSide) throws(StorageError) {
        guard try FileSystem.exists(closedFile(of: side)) else { return }
        try FileSystem.remove(closedFile(of: side))
        try FileSystem.syncDirectory(path)
    }

    /// Makes the incognito side vanish at once and for good; its files are left to remove.
    func moveIncognitoAway() throws(StorageError) {
        try FileSystem.remove("\(path)/incognito.removed")
        let side = directory(of: .incognito)
        if try FileSystem.exists(side) {
            try FileSystem.move(side, to: "\(path)/incognito.removed")
        }
        try FileSystem.remove(closedFile(of: .incognito))
        try FileSystem.syncDirectory(path)
    }

    func removeIncognitoFiles() throws(StorageError) {
        for name in ["removed", "mended", "copy", "damaged"] {
            try FileSystem.remove("\(path)/incognito.\(name)")
        }
    }

    /// Ends what a killed process began: a removal, or the exchange of a mended side.
    func finishInterruptedWork() throws(StorageError) {
        try FileSystem.remove("\(path)/incognito.removed")
        for side in StorageSide.allCases {
            let directory = directory(of: side)
            let (mended, damaged) = ("\(directory).mended", "\(directory).damaged")
            try FileSystem.remove("\(directory).copy")
            if try FileSystem.exists(directory) {
                try FileSystem.remove(mended)
            } else if try FileSystem.exists(mended) {
                // Renamed away, not yet replaced: the mended side was complete by then.
                try FileSystem.move(mended, to: directory)
                try FileSystem.syncDirectory(path)
            } else if try FileSystem.exists(damaged) {
                try FileSystem.move(damaged, to: directory)
            }
            if try FileSystem.exists(directory) { try FileSystem.remove(damaged) }
        }
    }

    /// Puts a mended side in the place of the damaged one. The damaged one must have been copied.
    func exchange(_ side: StorageSide, with mended: String) throws(StorageError) {
        let directory = directory(of: side)
        try FileSystem.move(directory, to: "\(directory).damaged")
        try FileSystem.move(mended, to: directory)
        try FileSystem.syncDirectory(path)
        try FileSystem.remove("\(directory).damaged")
    }
}
