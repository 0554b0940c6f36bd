import BrowserSessions
import SessionSamples

extension ConformanceSuite {
    /// Sizes and bytes.
    @SuiteBuilder static var stateBytes: [SuiteEntry] {
        SuiteEntry("STATE-11", .must, "A blob comes back with exactly the bytes it was given.")
            .tried("sizes around those of pages and buffers") { context in
                let blobs = sizedBlobs(context)
                try await context.withNewStore { store in
                    try await saveBlobs(blobs, store)
                    try await requireStates(blobs, in: store, "blobs of many sizes")
                }
            }
            .tried("sizes around those of pages and buffers, in the incognito partition") {
                context in
                let blobs = sizedBlobs(context, .incognito)
                try await context.withNewStore { store in
                    try await saveBlobs(blobs, store, .incognito)
                    try await requireStates(blobs, in: store, "incognito blobs of many sizes")
                }
            }
            .tried("every byte value at every position of eight") { context in
                try await context.withNewStore { store in
                    var changes = Plain.window(1, tabs: 0..<8).changes
                    var blobs: [TabStateKey: [UInt8]] = [:]
                    for number in 0..<8 {
                        let bytes = (0..<2048).map { UInt8(truncatingIfNeeded: $0 / 8 + number) }
                        blobs[Plain.key(number)] = bytes
                        changes.put(bytes, for: Plain.key(number))
                    }
                    _ = try await store.save(changes)
                    try await requireStates(blobs, in: store, "blobs of all byte values")
                }
            }
            .catches("cuts-blobs-at-64-KiB", says: "the size of a blob") {
                $0.puttingStates { Array($0.prefix(64 << 10)) }
            }
            .catches("drops-the-high-bit", says: "has other bytes") {
                $0.puttingStates { $0.map { $0 & 0x7F } }
            }
        SuiteEntry(
            "STATE-12", .must, "State is the same when the store is opened again.",
            needs: [.reopening]
        )
        .tried("blobs of many sizes, opened twice") { context in
            let blobs = sizedBlobs(context)
            let location = try await context.makeLocation()
            try await context.withStore(at: location) { try await saveBlobs(blobs, $0) }
            for opening in 2...3 {
                try await context.withStore(at: location) { store in
                    try await requireStates(blobs, in: store, "at opening \(opening)")
                    let keys = try await store.stateKeys(in: Plain.session(1))
                    try requireEqual(
                        keys.count, blobs.count, "the number of keys at opening \(opening)")
                }
            }
        }
        .catches("keeps-state-in-memory", says: "at opening 2") {
            $0.savingEach { if case .putState = $0 { nil } else { $0 } }.rememberingStates()
        }
        SuiteEntry(
            "STATE-13", .must,
            """
            The limit of one state in the traits is the option's: a blob of `maximumStateBytes` is \
            accepted; a larger one is refused with `tooLarge`, and nothing of its set is applied.
            """
        )
        .tried("at, below and above 1, 1,000 and 65,536 bytes") { context in
            for limit in [1, 1000, 1 << 16] {
                let options: [String: OptionValue] = ["maximumStateBytes": .integer(limit)]
                try await context.withNewStore(options: options) { store in
                    try requireEqual(
                        store.traits.maximumStateBytes, limit, "the limit of the traits")
                    try await checkLimit(of: limit, store)
                }
            }
        }
        .tried("at, below and above the limit of the traits") { context in
            guard context.traits.maximumStateBytes <= 32 << 20 else {
                throw NotTried("the limit is too large to be tried")
            }
            try await context.withNewStore { store in
                try await checkLimit(of: store.traits.maximumStateBytes, store)
            }
        }
        .catches("ignores-the-limit", says: "the limit of the traits") { configuration, open in
            configuration.options["maximumStateBytes"] = nil
            return try open(configuration)
        }
        .catches("drops-what-is-too-large", says: "over the limit") { store in
            let limit = store.traits.maximumStateBytes
            return store.savingEach {
                if case .putState(let bytes, _) = $0, bytes.count > limit { nil } else { $0 }
            }
        }
        .catches("refuses-at-the-limit", says: "was refused") {
            $0.before(SaveRequest.self) { save, store in
                for case .putState(let bytes, _) in save.changes.changes
                where bytes.count >= store.traits.maximumStateBytes {
                    throw StorageError(.tooLarge, "the blob is too large")
                }
            }
        }
    }

    private static func checkLimit(of limit: Int, _ store: any SessionStorage) async throws {
        var window = Plain.window(1, tabs: 0..<1)
        for size in [limit - 1, limit] {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
            var changes = window.changes
            changes.put(bytes, for: Plain.key(0))
            try await requireSuccess("a blob within the limit was refused") {
                try await store.save(changes, durability: .memory)
            }
            try await requireStates([Plain.key(0): bytes], in: store, "a blob within the limit")
        }
        let before = try await contents(of: store, tabs: 0..<2)
        for size in [limit + 1, limit * 2] {
            window.tabs[0].title = "Changed"
            var changes = window.changes
            changes.put([1], for: Plain.key(0))
            changes.put([UInt8](repeating: 1, count: size), for: Plain.key(0, .native))
            let error = try await requireError(.tooLarge, from: "a blob over the limit") {
                _ = try await store.save(changes)
            }
            try requireEqual(error.effect, .notApplied, "the effect of a blob over the limit")
            let after = try await contents(of: store, tabs: 0..<2)
            try require(after == before, "a set with a blob over the limit changed the store")
        }
    }

    /// Returns bytes of all kinds; every blob differs from every other.
    private static func sizedBlobs(_ context: CaseContext, _ partition: StoragePartition = .regular)
        -> [TabStateKey: [UInt8]]
    {
        var generator = context.generator
        let middles = [1 << 8, 4 << 10, 16 << 10, 32 << 10, 64 << 10, 1 << 20]
        let sizes = [0, 1, 2, 3, 7, 8] + middles.flatMap { [$0 - 1, $0, $0 + 1] }
        var blobs: [TabStateKey: [UInt8]] = [:]
        for (number, size) in sizes.enumerated() {
            blobs[Plain.key(number, .navigation, partition)] = SampleState.blob(
                bytes: size, using: &generator)
        }
        return blobs
    }

    private static func saveBlobs(
        _ blobs: [TabStateKey: [UInt8]], _ store: any SessionStorage,
        _ kind: SessionKind = .regular
    ) async throws {
        var changes = Plain.window(1, tabs: 0..<blobs.count, kind: kind).changes
        for (key, bytes) in blobs { changes.put(bytes, for: key) }
        _ = try await store.save(changes)
    }
}
