import BrowserSessions

/// Finds out what made the contents of a directory.
struct StoreFinding {
    let directory: any FileDirectory
    /// The identity of a store that the engine makes.
    let own: StoreIdentity
    private let engine: any FileEngine
    private let user: UInt32

    private static let directoryNames: Set<String> = ["regular", "incognito", Quarantine.name]
    private static let ownNames = Set(
        StoreIdentity.fileNames + StoreIdentity.fileNames.map { $0 + ".new" }
            + [
                StoreIdentity.removedName, StoreIdentity.removedName + ".new", StoreHolder.name,
                StoreHolder.draft,
            ])

    init(_ directory: any FileDirectory, _ engine: any FileEngine, user: UInt32) {
        self.directory = directory
        own = StoreIdentity(backend: engine.name, engineFormat: engine.formatVersion)
        self.engine = engine
        self.user = user
    }

    /// The contents of the directory.
    enum Result: Equatable {
        /// No store, or an unfinished one.
        case nothing
        /// A store of this engine, and its identity; `nil` if neither copy exists and is sound.
        case store(StoreIdentity?)

        var identity: StoreIdentity? { if case .store(let found) = self { found } else { nil } }
    }

    /// Throws if there is a store of another engine, or if the directory holds something else.
    func examine(mayCreate: Bool) throws(StorageError) -> Result {
        let names = try directory.names()
        let found = try StoreIdentity.found(in: directory)
        if let found { try own.requireReadable(found, at: directory.path) }
        for name in names {
            let status = try directory.status(of: name)
            if Self.directoryNames.contains(name) {
                try status?.requireOwnDirectory(directory.path(of: name), user: user)
            } else if Self.isOwn(name), let status {
                try status.requirePlain(directory.path(of: name))
            }
        }
        let hasPartitions = names.contains(where: StoreDirectory.isOfPartition)
        if hasPartitions {
            try requireOwnFiles(isCertain: found != nil)
        } else if found == nil {
            if !mayCreate { throw StoreDirectory.absent(directory.path) }
            guard names.allSatisfy(Self.ownNames.contains) else {
                throw StorageError(
                    .unsafeLocation,
                    """
                    '\(directory.path)' holds other files and no store; name an empty or new \
                    directory
                    """)
            }
        }
        let isNew = found == nil && (!hasPartitions || isUnfinished(names))
        return isNew ? .nothing : .store(found)
    }

    private static func isOwn(_ name: String) -> Bool {
        ownNames.contains(name) || name.hasPrefix("regular") || name.hasPrefix("incognito")
    }

    /// Returns whether the store is unfinished: without an identity, and with only an empty
    /// partition or one that the engine began.
    private func isUnfinished(_ names: [String]) -> Bool {
        let later =
            StoreIdentity.fileNames
            + [StoreIdentity.removedName, "regular.closed", "regular.opened"]
        return !names.contains { later.contains($0) }
    }

    /// Throws if the files of a partition are not what the engine makes. A link would lead
    /// elsewhere, and without an identity only the files show what made the store.
    private func requireOwnFiles(isCertain: Bool) throws(StorageError) {
        for partition in StoragePartition.allCases {
            guard try directory.status(of: partition.rawValue)?.kind == .directory else { continue }
            let files = try directory.directory(partition.rawValue)
            try Self.requirePlainFiles(files)
            guard !isCertain, partition == .regular else { continue }
            let names = try files.names()
            guard names.isEmpty || engine.recognizes(names) else {
                throw StorageError(
                    .incompatibleFormat,
                    """
                    it is unknown which backend made the store at '\(directory.path)': store.json and \
                    its copy are missing or damaged, and its files are none of backend \
                    '\(own.backend)'; open it with the backend that made it
                    """)
            }
        }
    }

    private static func requirePlainFiles(_ directory: any FileDirectory) throws(StorageError) {
        for name in try directory.names() {
            guard let status = try directory.status(of: name) else { continue }
            try status.requirePlain(directory.path(of: name))
            if status.kind == .directory { try requirePlainFiles(try directory.directory(name)) }
        }
    }
}

extension FileStatus {
    /// Throws if this is a link, which would lead elsewhere, or a special file such as a pipe.
    func requirePlain(_ path: String) throws(StorageError) {
        guard kind == .link || kind == .other else { return }
        throw StorageError(
            .unsafeLocation,
            "'\(path)' is a link or no file, which no store makes; put the file itself there")
    }

    /// Throws unless this is the user's own directory, without write access for others or groups.
    func requireOwnDirectory(_ path: String, user: UInt32) throws(StorageError) {
        let problem: String? =
            switch kind {
            case .directory: nil
            case .file: "is a file"
            case .link: "is a symbolic link"
            case .other: "is not a directory"
            }
        if let problem {
            throw StorageError(.unsafeLocation, "'\(path)' \(problem); a store needs a directory")
        }
        guard owner == user else {
            throw StorageError(
                .unsafeLocation,
                "'\(path)' belongs to user \(owner), not to this one (\(user))")
        }
        guard permissions & 0o022 == 0 else {
            throw StorageError(
                .unsafeLocation,
                """
                others may write to '\(path)' (mode 0\(String(permissions & 0o7777, radix: 8))); take that \
                right away: chmod go-w '\(path)'
                """)
        }
    }
}
