#if FaultyBackends
    import BrowserSessions
    import StorageEngines
    import Foundation
    import LocalFiles
    import Synchronization

    extension FaultyBackend {

        @Sendable static func claimsSealed(_ traits: inout StorageTraits) {
            traits.incognitoErasure = .sealed
            traits.incognitoSealing = StorageTraits.Sealing(
                cipher: "AES-256-GCM", keyStore: "memory", survives: .memory, keyLiesInStore: false)
        }

        /// Makes a store that appends saved titles to a file of its own.
        static func leaving(
            _ name: String, _ message: String, both: Bool = false,
            _ rest: @escaping @Sendable (String) -> (file: String, bytes: [UInt8])
        ) -> FaultyBackend {
            FaultyBackend(name, says: message) { configuration throws(StorageError) in
                let base = try ReferenceEngine.open(configuration)
                return LeavesTitles(base: base, both: both) { title in
                    let (file, bytes) = rest(title)
                    let path = "\(configuration.location)/\(file)"
                    if let output = try? PosixFile(
                        opening: path, flags: O_WRONLY | O_CREAT | O_APPEND)
                    {
                        try? output.write(bytes)
                    }
                }
            }
        }
    }

    /// A store that claims what is not true.
    struct Claims: StorageDecorator {
        let base: any SessionStorage
        let change: @Sendable (inout StorageTraits) -> Void

        var traits: StorageTraits {
            var traits = base.traits
            change(&traits)
            return traits
        }
    }

    /// A Boolean value for faulty stores.
    final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set(_ isSet: Bool) { value.withLock { $0 = isSet } }
    }

    /// Passes the titles of saved sessions to something that keeps them.
    struct LeavesTitles: StorageDecorator {
        let base: any SessionStorage
        let both: Bool
        let leave: @Sendable (String) -> Void

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            for case .putSession(let id, let attributes) in changes.changes
            where both || id.partition == .incognito {
                leave(attributes.title)
            }
            return try await base.save(changes, durability: durability)
        }
    }

    /// Keeps nothing of incognito sessions, but writes what is saved of them into a file that is
    /// gone when the save returns.
    struct WritesIncognitoForAMoment: StorageDecorator {
        let base: any SessionStorage
        let path: String

        func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
            -> SaveReceipt
        {
            guard try changes.validate(maximumStateBytes: traits.maximumStateBytes) == .incognito
            else {
                return try await base.save(changes, durability: durability)
            }
            for case .putSession(_, let attributes) in changes.changes {
                try FileSystem.replace(path, with: Array(attributes.title.utf8))
                try FileSystem.remove(path)
            }
            return SaveReceipt(sequence: 1, durability: durability)
        }
    }

    /// Reports that incognito is deleted, and does it later.
    final class DeletesIncognitoAtClose: StorageDecorator {
        let base: any SessionStorage
        private let isPending = Flag()

        init(base: any SessionStorage) { self.base = base }

        func deleteIncognito() async throws(StorageError) { isPending.set(true) }

        func close() async throws(StorageError) {
            if isPending.isSet { try await base.deleteIncognito() }
            try await base.close()
        }
    }
#endif
