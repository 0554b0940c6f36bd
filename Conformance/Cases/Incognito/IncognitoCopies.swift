import BrowserSessions
import SessionSamples
import StorageEngines

extension ConformanceSuite {
    /// Copies of a store's files.
    @SuiteBuilder static var incognitoCopies: [SuiteEntry] {
        SuiteEntry(
            "INCOGNITO-17", .must,
            """
            Of a store and a copy of its files that was opened, each has all incognito sessions until it \
            deletes its own; what the other deletes changes nothing.
            """, needs: [.files, .reopening]
        )
        .tried("delete in the copy", CopyCases.deletionInCopy)
        .tried("delete in the original", CopyCases.deletionInOriginal)
        .catches("deletes-where-it-came-from", says: "the other one") { configuration, open in
            let store = try open(configuration)
            let (location, note) = (configuration.location, "\(configuration.location)/origin")
            guard try FileSystem.exists(note) else {
                try FileSystem.replace(note, with: [UInt8](location.utf8))
                return store
            }
            let origin = String(decoding: try FileSystem.read(note), as: UTF8.self)
            return store.on(DeleteIncognitoRequest.self) { delete, store in
                try await delete.perform(on: store)
                guard origin != location, try FileSystem.exists(origin) else { return }
                let other = try ReferenceEngine.open(StorageConfiguration(location: origin))
                try await other.deleteIncognito()
                try await other.close()
            }
        }
    }
}

private enum CopyCases {
    @Sendable static func deletionInCopy(_ context: CaseContext) async throws {
        try await deletion(context) { original, copy in (copy, original) }
    }

    @Sendable static func deletionInOriginal(_ context: CaseContext) async throws {
        try await deletion(context) { original, copy in (original, copy) }
    }

    private static func deletion(
        _ context: CaseContext,
        _ choose: (_ original: String, _ copy: String) -> (deleting: String, other: String)
    ) async throws {
        let original = try await context.makeLocation()
        let copy = try await context.makeLocation()
        var sampler = context.sampler
        let saved = sampler.window(tabs: 6, kind: .incognito, state: .blobs(50...400))
        var store = try await context.open(original)
        _ = try await store.save(saved.creation)
        try await store.close()
        try FileSystem.copy(original, to: copy)
        for (location, name) in [(copy, "the copy"), (original, "the original")] {
            store = try await context.open(location)
            try await expect([saved], in: store, "\(name) does not have what was saved")
            try await store.close()
        }
        let (deleting, other) = choose(original, copy)
        store = try await context.open(deleting)
        try await store.deleteIncognito()
        try await expect([], in: store, "after the deletion incognito sessions are there")
        try await store.close()
        store = try await context.open(other)
        try await expect([saved], in: store, "the deletion cost the other one its sessions")
        try await store.close()
    }

    private static func expect(
        _ sessions: [SessionSnapshot], in store: any SessionStorage, _ message: String
    ) async throws {
        try require(
            try await StoreContent.read(store, partition: .incognito) == StoreContent(sessions),
            message)
    }
}
