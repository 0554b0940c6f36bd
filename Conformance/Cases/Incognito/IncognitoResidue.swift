import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines

extension ConformanceSuite {
    /// What is left of incognito sessions in files, and of killed processes.
    @SuiteBuilder static var incognitoResidue: [SuiteEntry] {
        SuiteEntry(
            "INCOGNITO-8", .must, "Saved incognito sessions survive the end of the process.",
            needs: [.processes, .incognitoSurvivesKill], proves: .incognitoSurvivesKill
        )
        .tried("kill after a save", IncognitoKillCases.survival)
        .catches("saves-incognito-at-close", says: "before the kill") {
            $0.on(SaveRequest.self) { save, store in
                let isIncognito = save.changes.changes.contains {
                    if case .put(.session(let id, _)) = $0 {
                        id.partition == .incognito
                    } else {
                        false
                    }
                }
                guard isIncognito else { return try await save.perform(on: store) }
                return SaveReceipt(sequence: 1, durability: save.durability)
            }
        }
        SuiteEntry(
            "INCOGNITO-9", .must,
            """
            After the deletion no file of the store, nor the name of one, holds anything that \
            was saved of incognito sessions, in any usual form.
            """, needs: [.files, .incognitoErased], proves: .incognitoErased
        )
        .tried("delete while open", ResidueCases.deletion)
        .tried("delete in a later run", ResidueCases.deletionInLaterRun)
        .tried("delete after damage", ResidueCases.deletionAfterDamage)
        .catches(
            .leaving("forgets-a-file", "files hold values") { word in
                (".leftover", [UInt8](word.utf8))
            },
            .leaving("log-of-incognito", "after the deletion") { word in
                ("debug.log", [UInt8](Data(word.utf8).base64EncodedString().utf8))
            },
            .leaving("incognito-in-a-file-name", "files hold values") { word in
                (word.filter { $0 != "/" }, [])
            })
        SuiteEntry(
            "INCOGNITO-10", .must, "No file ever holds content of both partitions.", needs: [.files]
        )
        .tried("files of both partitions", ResidueCases.separateFiles)
        .catches(
            .leaving("shared-journal", "content of both partitions", both: true) { word in
                ("journal", [UInt8](word.utf8))
            })
        SuiteEntry(
            "INCOGNITO-11", .must,
            """
            If incognito is sealed, no file holds anything readable of incognito sessions at \
            any time, also after damage and repair.
            """, needs: [.files, .incognitoSealed], proves: .incognitoSealed
        )
        .tried("search at all times", ResidueCases.sealed)
        .catches("seals-in-clear", says: "while the session is there") { $0.claimingSealed() }
        SuiteEntry(
            "INCOGNITO-15", .must,
            """
            If incognito is sealed, no write and no name of a file ever has anything readable of \
            incognito sessions, be it for a moment only.
            """, needs: [.files, .processes, .incognitoSealed, .ownProcess, .watchedCalls],
            proves: .incognitoSealed
        )
        .tried("every write of a process", IncognitoTrace.writes)
        .catches("writes-incognito-in-clear-for-a-moment", says: "in clear") {
            configuration, open in
            let path = "\(configuration.location)/scratch"
            return try open(configuration).claimingSealed().on(SaveRequest.self) { save, store in
                let limit = store.traits.maximumStateBytes
                guard try save.changes.validate(maximumStateBytes: limit) == .incognito else {
                    return try await save.perform(on: store)
                }
                for case .put(.session(_, let attributes)) in save.changes.changes {
                    try FileSystem.replace(path, with: Array(attributes.title.utf8))
                    try FileSystem.remove(path)
                }
                return SaveReceipt(sequence: 1, durability: save.durability)
            }
        }
        SuiteEntry(
            "INCOGNITO-16", .must,
            """
            After deleteIncognito has returned no power cut brings an incognito session back, on any disk; \
            and where names are kept in order, a cut before or within it reads as no damage.
            """, needs: watched
        )
        .tried("cuts within saves and a deletion", timeLimit: longTime, IncognitoTrace.cuts)
        .catches("deletes-incognito-at-close", says: "after the deletion") {
            let isPending = FaultMemory(false)
            return $0.on(DeleteIncognitoRequest.self) { _, _ in isPending.set(true) }
                .on(CloseRequest.self) { close, store in
                    if isPending.value { try await store.deleteIncognito() }
                    try await close.perform(on: store)
                }
        }
        SuiteEntry(
            "INCOGNITO-12", .must,
            """
            If the key lies outside the store, a copy of all files that was made before the \
            deletion gives no incognito session after it.
            """, needs: [.files, .incognitoSealed, .incognitoKeyElsewhere],
            proves: .incognitoKeyElsewhere
        )
        .tried("copy put back", ResidueCases.copyPutBack)
        .catches("key-beside-the-lock", says: "brought incognito") { $0.claimingSealed() }
        SuiteEntry(
            "INCOGNITO-13", .must,
            """
            After a deletion that was killed either all incognito sessions are there or none, \
            and the regular partition is as it was.
            """, needs: [.processes, .processCrash]
        )
        .tried("kill at several moments", IncognitoKillCases.killedDeletion)
        .catches("half-deletion", says: "neither all nor") {
            $0.on(DeleteIncognitoRequest.self) { delete, store in
                guard ConformanceChild.isChild else {
                    return try await delete.perform(on: store)
                }
                let first = try await store.sessions().first { $0.partition == .incognito }
                var changes = SessionChanges()
                if let first { changes.remove(first) }
                _ = try await store.save(changes, durability: .processCrash)
                kill(getpid(), SIGKILL)
            }
        }
    }
}

/// The cases that search files.
enum ResidueCases {
    private static func canary(_ context: CaseContext, isIncognito: Bool = true) throws
        -> ContentCanary
    {
        try ContentCanary(seed: context.seed, isIncognito: isIncognito)
    }

    private static func requireNothing(
        _ canary: ContentCanary, below location: String, _ moment: String
    ) throws {
        let found = try canary.found(below: location).count
        try require(found == 0, "\(moment): \(found) files hold values of incognito sessions")
    }

    /// Opens a new store with regular sessions, and the canary's incognito one.
    private static func usedStore(_ context: CaseContext) async throws
        -> (String, ContentCanary, any SessionStorage)
    {
        let location = try await context.makeLocation()
        let canary = try canary(context)
        let store = try await context.open(location)
        var sampler = context.sampler
        _ = try await store.save(sampler.window(tabs: 8, state: .blobs(50...500)).creation)
        try await canary.use(store)
        return (location, canary, store)
    }

    @Sendable static func deletion(_ context: CaseContext) async throws {
        let (location, canary, used) = try await usedStore(context)
        var store = used
        try await store.deleteIncognito()
        try requireNothing(canary, below: location, "after the deletion")
        store = try await context.reopen(store, at: location)
        try requireNothing(canary, below: location, "at the next opening")
        try await canary.use(store)
        try await store.deleteIncognito()
        try await store.close()
        try requireNothing(canary, below: location, "after the second deletion and closing")
    }

    @Sendable static func deletionInLaterRun(_ context: CaseContext) async throws {
        let (location, canary, used) = try await usedStore(context)
        var store = used
        store = try await context.reopen(store, at: location)
        try await canary.use(store)
        store = try await context.reopen(store, at: location)
        try await store.deleteIncognito()
        try requireNothing(canary, below: location, "after a deletion in a later run")
        try await store.close()
        try requireNothing(canary, below: location, "after closing")
    }

    /// Changes one byte in a thousand of each file with a path that contains the text.
    static func damage(_ location: String, filesWith text: String) throws {
        for file in try LocationFiles(location).files where file.contains(text) {
            var bytes = try FileSystem.read("\(location)/\(file)")
            for index in bytes.indices where index % 1000 == 500 { bytes[index] ^= 4 }
            try LocationFiles.overwrite("\(location)/\(file)", with: bytes)
        }
    }

    @Sendable static func deletionAfterDamage(_ context: CaseContext) async throws {
        let (location, canary, used) = try await usedStore(context)
        var store = used
        try await store.close()
        try damage(location, filesWith: "incognito")
        store = try await context.open(location)
        _ = try await store.repair()
        try await store.deleteIncognito()
        try requireNothing(canary, below: location, "after damage, repair and deletion")
        try await store.close()
    }

    @Sendable static func separateFiles(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let incognito = try canary(context)
        let regular = try canary(context, isIncognito: false)
        var store = try await context.open(location)
        for moment in ["while it is open", "at the next opening"] {
            try await regular.use(store)
            try await incognito.use(store)
            let both = Set(try regular.found(below: location)).intersection(
                try incognito.found(below: location))
            try require(
                both.isEmpty, "\(moment): \(both.count) files hold content of both partitions")
            store = try await context.reopen(store, at: location)
        }
        try await store.close()
    }

    @Sendable static func sealed(_ context: CaseContext) async throws {
        let (location, canary, used) = try await usedStore(context)
        var store = used
        try requireNothing(canary, below: location, "while the session is there")
        store = try await context.reopen(store, at: location)
        try await canary.use(store)
        try requireNothing(canary, below: location, "after opening again")
        try await store.close()
        try requireNothing(canary, below: location, "while it is closed")
        try damage(location, filesWith: "incognito")
        store = try await context.open(location)
        try requireNothing(canary, below: location, "after damage")
        _ = try await store.repair()
        try requireNothing(canary, below: location, "after repair")
        try await store.deleteIncognito()
        try await store.close()
        try requireNothing(canary, below: location, "after the deletion")
    }

    @Sendable static func copyPutBack(_ context: CaseContext) async throws {
        let (location, canary, used) = try await usedStore(context)
        var store = used
        let copy = try await context.makeLocation()
        try await store.close()
        try FileSystem.copy(location, to: copy)
        store = try await context.open(location)
        try await store.deleteIncognito()
        try await store.close()
        try LocationFiles.replace(location, withCopyOf: copy)
        store = try await context.open(location)
        let content = try await StoreContent.read(store, partition: .incognito)
        try require(
            content == StoreContent(), "a copy of the files brought incognito sessions back")
        do {
            let session = try await store.restore(canary.session)
            try require(session == nil, "a copy of the files brought an incognito session back")
        } catch let error as StorageError where error.code == .keyUnavailable {
            // A destroyed key cannot be distinguished from one that is kept elsewhere.
            context.note("a copy of the files cannot be opened: its key is not to be had")
        }
        try await store.close()
    }
}
