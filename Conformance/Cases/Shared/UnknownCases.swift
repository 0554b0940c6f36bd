import BrowserSessions
import SessionSamples

/// Saves with a temporarily unknown result.
enum UnknownCases {
    // MARK: - The medium cannot be asked

    /// The set has reached the medium, and its answer is lost.
    @Sendable static func applied(_ context: CaseContext) async throws {
        try await unreachable(context, .received)
    }

    /// The set is lost in transit.
    @Sendable static func notApplied(_ context: CaseContext) async throws {
        try await unreachable(context, .sent)
    }

    private static func unreachable(_ context: CaseContext, _ way: WireWay) async throws {
        let linked = try await LinkedStore(context, timeout: .seconds(20))
        let store = try await linked.open()
        _ = try await linked.save(1, in: store)
        linked.wire.refuse(true)
        let error: StorageError
        do {
            error = try await refusedSave(linked, in: store, way)
            if error.effect == .indeterminate { try await requireNoGuess(store, context) }
        } catch {
            linked.wire.refuse(false)
            throw error
        }
        linked.wire.refuse(false)
        let last = way == .received ? 2 : 1
        let shown = try await context.again("reading") { () async throws(StorageError) in
            try await linked.shown(by: store)
        }
        try requireEqual(shown, last, "the last set when what became of a save is known")
        let receipt = try await context.again("saving") { () async throws(StorageError) in
            try await linked.save(last + 1, in: store)
        }
        try requireEqual(receipt.sequence, UInt64(last + 1), "the number of the next set")
        try await store.close()
        try await linked.judge(last + 1...last + 1, "after a save with an unknown outcome")
    }

    /// Saves set 2 over a connection that ends within it, when the medium cannot be asked.
    private static func refusedSave(
        _ linked: LinkedStore, in store: any SessionStorage, _ way: WireWay
    ) async throws -> StorageError {
        var refusal: StorageError?
        let wasCut = try await linked.cutting(way, after: 0) {
            refusal = try await requireError(.unavailable, from: "a save without an answer") {
                _ = try await linked.save(2, in: store)
            }
        }
        guard wasCut, let refusal else { throw HarnessFault("the link cut no connection") }
        try require(refusal.effect != .applied, "a save without an answer was reported as applied")
        try require(
            way == .sent || refusal.effect == .indeterminate,
            "a save without an answer was reported as \(refusal.effect.rawValue)")
        return refusal
    }

    /// Requires that every read reports that the result is unknown.
    private static func requireNoGuess(_ store: any SessionStorage, _ context: CaseContext)
        async throws
    {
        var sampler = context.sampler
        let sample = sampler.window(tabs: 2)
        let asking = ["sessions", "summaries", "restore", "states", "state keys", "save", "check"]
        for call in OrdinaryCall.all(about: sample) where asking.contains(call.name) {
            try await requireError(.unavailable, from: "\(call.name), while that is unknown") {
                try await call.run(store)
            }
        }
    }

    // MARK: - What comes late

    /// A set is in transit when its store stops waiting, asks over another connection, and is
    /// answered that the set is not there. Then it must never be there.
    @Sendable static func late(_ context: CaseContext) async throws {
        let linked = try await LinkedStore(context, timeout: .milliseconds(400))
        let store = try await linked.open()
        _ = try await linked.save(1, in: store)
        linked.wire.hold([.sent], onlyPresent: true)
        linked.wire.refuse(true)
        defer {
            linked.wire.refuse(false)
            linked.wire.free()
        }
        let error = try await requireError(.unavailable, from: "a save that is on its way") {
            _ = try await linked.save(2, in: store)
        }
        try requireEqual(error.effect, .indeterminate, "the effect of a save that is on its way")
        linked.wire.refuse(false)
        let shown = try await context.again("reading") { () async throws(StorageError) in
            try await linked.shown(by: store)
        }
        try requireEqual(shown, 1, "the last set while the next one is on its way")
        linked.wire.free()
        let later = try await context.again("reading") { () async throws(StorageError) in
            try await linked.shown(by: store)
        }
        try requireEqual(later, 1, "the last set when one came late that was reported as not there")
        let receipt = try await context.again("saving") { () async throws(StorageError) in
            try await linked.save(2, in: store)
        }
        try requireEqual(receipt.sequence, 2, "the number of the set after one that came late")
        try await store.close()
        try await linked.judge(2...2, "after a set that came late")
    }

    // MARK: - Incognito

    /// The key can be destroyed even if the medium cannot be reached.
    @Sendable static func incognito(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let linked = try await LinkedStore(context, timeout: .seconds(20))
        let store = try await linked.open()
        let other = sampler.window(tabs: 2, kind: .incognito, state: .blobs(100...600))
        _ = try await linked.save(1, in: store)
        _ = try await store.save(other.creation)
        linked.wire.refuse(true)
        defer { linked.wire.refuse(false) }
        _ = try await linked.cutting(.sent, after: 0) {
            do throws(StorageError) {
                try await store.deleteIncognito()
            } catch { try error.requireUnavailable(from: "deleting incognito without the medium") }
        }
        linked.wire.refuse(false)
        let found = try await context.again("reading") { () async throws(StorageError) in
            try await store.restore(other.id)
        }
        try require(found == nil, "deleted incognito sessions are there, once the medium is")
        try await context.again("closing") { () async throws(StorageError) in
            try await store.close()
        }
        let again = try await linked.openFreed()
        let partitions = try await again.sessions().map(\.partition)
        try require(!partitions.contains(.incognito), "deleted incognito sessions are there again")
        _ = try await linked.requireSets(1...1, in: again, "after a deletion without the medium")
        try await again.close()
    }
}
