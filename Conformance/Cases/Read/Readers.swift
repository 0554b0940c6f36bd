import BrowserSessions
import StorageEngines
import Synchronization

/// READ-2: readers beside the owner of a store.
extension ReadCases {
    @SuiteBuilder static var besideOwner: [SuiteEntry] {
        SuiteEntry(
            "READ-2", .must,
            """
            A store can be opened for reading while its owner has it open if, and only if, the \
            traits claim it; otherwise the call is refused as unsupported. A reader shows what was \
            durable before it was opened, and nothing that is saved later or in incognito: a state \
            that was saved, whole, also while the owner saves. It refuses every change as \
            permissionDenied, and the owner saves on, also after it was closed.
            """, proves: .opensReaders
        )
        .tried("a store with an owner, and what both see", readerBesideOwner)
        .tried("an owner that saves while readers are opened", readersWhileSaving)
        .catches(
            FaultyBackend(
                "claims-readers-it-does-not-open", says: "the reader that the traits claim",
                claimsReaders: true, reading: nil),
            FaultyBackend(
                "opens-readers-it-does-not-claim",
                says: "expected .unsupported, no error was thrown", claimsReaders: false,
                reading: emptyReader),
            FaultyBackend(
                "locks-readers-out", says: "expected .unsupported, was", claimsReaders: false,
                reading: { _ in
                    throw StorageError(.locked, "it is in use", operation: "open reader")
                }),
            FaultyBackend(
                "shows-readers-half-a-set", says: "half a set is there", claimsReaders: true,
                reading: halfReader),
            FaultyBackend(
                "shows-readers-an-empty-store", says: "a reader", claimsReaders: true,
                reading: emptyReader))
    }

    @Sendable static func readerBesideOwner(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let owner = try await context.open(location)
        let window = Plain.window(1, tabs: 0..<4)
        let off = Plain.window(2, tabs: 10..<12, kind: .incognito)
        _ = try await owner.save(window.changes)
        _ = try await owner.save(off.changes)
        if owner.traits.opensReaders {
            let reader: StoreReader
            do {
                reader = try await context.openReader(location)
            } catch let error as StorageError {
                throw Violation("the reader that the traits claim: \(error.full)")
            }
            try await requireReading(reader, of: window, without: off, beside: owner)
        } else {
            try await requireError(.unsupported, from: "a reader that no trait claims") {
                _ = try await context.openReader(location)
            }
        }
        _ = try await owner.save(Plain.window(3, tabs: 20..<22).changes)
        try await owner.close()
    }

    /// Readers are opened, one after another, while sets are saved.
    @Sendable static func readersWhileSaving(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let owner = try await context.open(location)
        let sets = NumberedSets(stateBytes: 3000)
        _ = try await owner.save(sets.changes(1))
        if owner.traits.opensReaders {
            let progress = SavedSets(1)
            async let readings: Void = read(location, sets, progress, context)
            // waits: for no more turns than the readers take
            for number in 2...400 where !progress.isDone {
                _ = try await owner.save(sets.changes(number))
                progress.saved(number)
            }
            try await readings
        }
        try await owner.close()
    }

    private static func read(
        _ location: String, _ sets: NumberedSets, _ progress: SavedSets, _ context: CaseContext
    ) async throws {
        defer { progress.end() }
        for _ in 0..<5 {
            let certain = progress.last
            let reader = try await context.openReader(location)
            let found = try await sets.lastApplied(in: reader)
            try require(
                found >= certain,
                "a reader shows set \(found), and set \(certain) was saved before it was opened")
            try require(
                try await reader.check().isHealthy, "a reader beside its owner reads as damaged")
            try await reader.close()
        }
    }

    private static func requireReading(
        _ reader: StoreReader, of window: ExpectedSession, without off: ExpectedSession,
        beside owner: any SessionStorage
    ) async throws {
        let later = Plain.window(4, tabs: 30..<33)
        _ = try await owner.save(later.changes)
        try requireEqual(
            try await reader.sessions(), [window.id], "the sessions that a reader sees")
        try await window.check(in: reader, "what a reader sees")
        try requireEqual(
            try await reader.restore([off.id, later.id]), [],
            "what a reader sees of a private window and of one that was saved later")
        try await requireError(.permissionDenied, from: "a save through a reader") {
            _ = try await reader.save(later.changes)
        }
        try await reader.close()
    }
}

/// What an owner has saved, for readers beside it.
private final class SavedSets: Sendable {
    private let state: Mutex<(last: Int, isDone: Bool)>

    init(_ number: Int) { state = Mutex((number, false)) }

    var last: Int { state.withLock { $0.last } }
    var isDone: Bool { state.withLock { $0.isDone } }
    func saved(_ number: Int) { state.withLock { $0.last = number } }
    func end() { state.withLock { $0.isDone = true } }
}

/// Returns a reader of a copy that lacks the second session of a set, as one has that was made while
/// the set was written.
@Sendable private func halfReader(_ configuration: StorageConfiguration) throws -> StoreReader {
    var copy = configuration
    copy.location += ".copied"
    copy.options["access"] = .text(StorageAccess.readOnly.rawValue)
    try FileSystem.copy(configuration.location, to: copy.location)
    defer { try? FileSystem.remove(copy.location) }
    let half = try ReferenceEngine.open(copy).answering(RestoreRequest.self) {
        $0.removeAll { $0.id == NumberedSets.sessions[1] }
    }
    return StoreReader(half, sequence: 1, asOf: .unknown)
}
/// Returns a reader that shows nothing.
@Sendable func emptyReader(_ configuration: StorageConfiguration) throws -> StoreReader {
    StoreReader(try StorageBackend.null.openBlocking(configuration), sequence: 0, asOf: .unknown)
}
