import BrowserSessions

/// Finds out who made what is in a directory.
struct HomeFinding {
    let directory: any FileDirectory
    private let own: StoreIdentity
    private let engine: any FileEngine
    private let user: UInt32

    private static let directoryNames: Set<String> = ["regular", "incognito", Quarantine.name]
    private static let ownNames = Set(
        StoreIdentity.fileNames + StoreIdentity.fileNames.map { $0 + ".new" }
            + [StoreIdentity.removedName, StoreIdentity.removedName + ".new", "lock"])

    init(
        _ directory: any FileDirectory, _ own: StoreIdentity, _ engine: any FileEngine,
        user: UInt32
    ) {
        self.directory = directory
        self.own = own
        self.engine = engine
        self.user = user
    }

    /// What is there.
    enum Result: Equatable {
        /// No store, or one whose making was interrupted.
        case nothing
        /// A store of this engine.
        case store(hasIdentity: Bool)
    }

    /// The identity of the store; `nil` if neither copy is there and sound.
    private func identity() throws(StorageError) -> StoreIdentity? {
        for name in StoreIdentity.fileNames + [StoreIdentity.removedName] {
            if let identity = try StoreIdentity.read(name, in: directory) { return identity }
        }
        return nil
    }

    /// Throws if there is a store that is not one of this engine, or if the directory holds something
    /// else.
    func examine(mayCreate: Bool) throws(StorageError) -> Result {
        let names = try directory.names()
        let found = try identity()
        if let found { try own.requireReadable(found, at: directory.path) }
        for name in names {
            let status = try directory.status(of: name)
            if Self.directoryNames.contains(name) {
                try status?.requireOwnDirectory(directory.path(of: name), user: user)
            } else if Self.isOwn(name), let status {
                try status.requirePlain(directory.path(of: name))
            }
        }
        let hasSides = names.contains(where: LocalHome.isOfSide)
        if hasSides {
            try requireOwnFiles(isCertain: found != nil)
        } else if found == nil {
            if !mayCreate { throw LocalHome.absent(directory.path) }
            guard names.allSatisfy(Self.ownNames.contains) else {
                throw StorageError(
                    .unsafeLocation,
                    """
                    '\(directory.path)' holds other files and no store; name an empty or new \
                    directory
                    """)
            }
        }
        let isNew = found == nil && (!hasSides || isUnfinished(names))
        return isNew ? .nothing : .store(hasIdentity: found != nil)
    }

    private static func isOwn(_ name: String) -> Bool {
        ownNames.contains(name) || name.hasPrefix("regular") || name.hasPrefix("incognito")
    }

    /// A store whose making was interrupted has no identity yet, and only an empty side or one that
    /// the engine began.
    private func isUnfinished(_ names: [String]) -> Bool {
        let later =
            StoreIdentity.fileNames
            + [StoreIdentity.removedName, "regular.closed", "regular.opened"]
        return !names.contains { later.contains($0) }
    }

    /// Throws if the files of a side are not what the engine makes: a link would lead elsewhere, and of
    /// a store without an identity the files alone tell who made it.
    private func requireOwnFiles(isCertain: Bool) throws(StorageError) {
        for side in StorageSide.allCases {
            guard try directory.status(of: side.rawValue)?.kind == .directory else { continue }
            let files = try directory.directory(side.rawValue)
            try Self.requirePlainFiles(files)
            guard !isCertain, side == .regular else { continue }
            let names = try files.names()
            guard names.isEmpty || engine.recognizes(names) else {
                throw StorageError(
                    .incompatibleFormat,
                    """
                    nobody can tell who made the store at '\(directory.path)': store.json and its copy \
                    are missing or damaged, and its files are none of backend '\(own.backend)'; open it \
                    with the backend that made it
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
    /// Throws if this is a link, which would lead elsewhere, or a pipe and the like.
    func requirePlain(_ path: String) throws(StorageError) {
        guard kind == .link || kind == .other else { return }
        throw StorageError(
            .unsafeLocation,
            "'\(path)' is a link or no file, which no store makes; put the file itself there")
    }

    /// Throws unless this is a directory of the user that no other user and no group can write to.
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
