import BrowserSessions
import Foundation
import StorageEngines

extension RequirementGroup {
    /// Removing a store: all of it goes, and nothing else.
    public static let remove = RequirementGroup(
        "REMOVE", "Removing a store: all of it goes, and nothing else.")
}

extension ConformanceSuite {
    @SuiteBuilder static var remove: [SuiteEntry] {
        SuiteEntry(
            "REMOVE-1", .must,
            """
            Removing a store returns true and leaves nothing of it, neither a file nor a folder: opening \
            with 'create' false throws notFound, and a new store there is empty and sound. Where no store is, \
            it returns false.
            """, needs: [.reopening]
        )
        .tried("a store with both partitions", RemoveCases.removesAll)
        .catches(
            removal: "removes-the-regular-partition-only", says: "what is left of a removed store"
        ) {
            let partition = "\($0.location)/regular"
            guard try FileSystem.exists(partition) else { return false }
            try FileSystem.remove(partition)
            return true
        }
        SuiteEntry(
            "REMOVE-2", .must,
            "A damaged store is removed like any other, with what was set aside.", needs: [.files]
        )
        .tried("each file damaged, and all", RemoveCases.removesDamaged)
        .catches(removal: "opens-what-it-removes", says: "is not removed") {
            let store = try OrderedSessionStorage(opening: $0, engine: ReferenceEngine())
            let losses = try store.checkBlocking().losses
            try store.closeBlocking()
            guard losses.isEmpty else { throw StorageError(.corrupted, "damaged") }
            return try FaultyBackend.remove($0)
        }
        SuiteEntry(
            "REMOVE-3", .must,
            """
            Files that are not the store's stay, and its folder then. Of a folder without a store nothing \
            goes.
            """, needs: [.files]
        )
        .tried("files of others, with a store and without", RemoveCases.leavesOthers)
        .catches(removal: "removes-the-folder", says: "what is left beside a removed store") {
            let wasThere = try FaultyBackend.remove($0)
            try FileSystem.remove($0.location)
            return wasThere
        }
        SuiteEntry(
            "REMOVE-4", .must,
            """
            A store stays as it is if it is open, which is locked and names its process; if another backend \
            or version made it, which is incompatibleFormat; if a link leads to it or is in it, which is \
            unsafeLocation; and with 'access' readOnly or without rights, which is permissionDenied. \
            Behind a link within what was set aside nothing goes.
            """, needs: [.files]
        )
        .tried("one that is open", RemoveCases.keepsOpen)
        .tried("other makers", RemoveCases.keepsOtherMakers)
        .tried("links and files", RemoveCases.keepsLinked)
        .tried("only for reading", RemoveCases.keepsForReading)
        .tried("missing rights", RemoveCases.keepsWithoutRights)
        .catches(removal: "removes-what-is-open", says: "a store that is open") {
            try FileSystem.remove($0.location)
            return true
        }
        .catches(removal: "removes-what-a-link-leads-to", says: "removing at") {
            var real = $0
            real.location = try PosixFileSystem().realPath(of: real.location) ?? real.location
            return try FaultyBackend.remove(real)
        }
        SuiteEntry(
            "REMOVE-5", .must,
            """
            After a kill or a power cut at any moment of a removal the whole store is there, or none: then \
            the next opening or removal ends what was begun. A removal that returned is not undone.
            """, needs: watched
        )
        .tried("cuts within a removal", timeLimit: longTime) {
            try await RemoveCases.isCut($0, .ordered)
        }
        .tried("cuts within a removal, names in any order", timeLimit: longTime) {
            try await RemoveCases.isCut($0, .strict)
        }
        .catches(removal: "removes-file-by-file", says: "removal") {
            try FileSystem.remove($0.location)
            return true
        }
        SuiteEntry(
            "REMOVE-6", .must,
            "Of removals at the same time one removes the store; the others find none, or are locked out.",
            needs: [.reopening]
        )
        .tried("six at once", RemoveCases.removesOnce)
        .catches(removal: "each-removal-counts", says: "of six removals") {
            _ = try? FaultyBackend.remove($0)
            return true
        }
    }
}

extension SuiteEntry {
    /// Adds a fault in the removal of sound stores.
    fileprivate func catches(
        removal name: String, says message: String,
        _ removing: @escaping @Sendable (StorageConfiguration) throws -> Bool
    ) -> SuiteEntry {
        let backend = StorageBackend(
            name: "reference", summary: name,
            remove: { configuration throws(StorageError) in
                try StorageError.typing { try removing(configuration) }
            }
        ) { configuration throws(StorageError) in try ReferenceEngine.open(configuration) }
        return catches(FaultyBackend(name, says: message, backend: backend))
    }
}

extension FaultyBackend {
    fileprivate static func remove(_ configuration: StorageConfiguration) throws -> Bool {
        try OrderedSessionStorage.remove(configuration, engine: ReferenceEngine())
    }
}
