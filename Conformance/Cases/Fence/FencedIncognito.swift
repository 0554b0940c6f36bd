import BrowserSessions
import SessionSamples

/// What a replaced owner can do to incognito sessions, which is nothing.
enum FencedIncognito {
    /// Returns a store with sessions in both partitions, taken from the owner that saved them.
    private static func taken(_ context: CaseContext, _ sampler: inout SessionSampler) async throws
        -> (location: String, old: any SessionStorage, new: any SessionStorage)
    {
        let location = try await context.makeLocation()
        let old = try await context.open(location)
        for kind in [SessionKind.regular, .incognito] {
            let session = sampler.window(tabs: 3, kind: kind, state: .blobs(100...600))
            try await context.saveLastingly(session.creation, in: old)
        }
        return (location, old, try await context.succeed(at: location))
    }

    @Sendable static func deletionByTheOldOwner(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let (location, old, new) = try await taken(context, &sampler)
        let own = sampler.window(tabs: 4, kind: .incognito, state: .blobs(100...600))
        _ = try await new.save(own.creation)
        let before = try await StoreContent.read(new, partition: .incognito)
        try require(
            before.sessions[own.id] != nil, "an incognito session of the new owner is not there")
        for _ in 1...2 {
            try await requireError(.fenced, from: "delete incognito of a replaced owner") {
                try await old.deleteIncognito()
            }
            try await requireSame(before, in: new, "after a deletion by a replaced owner")
        }
        try? await old.close()
        let again = try await context.reopen(new, at: location)
        try await requireSame(
            before, in: again, "at an opening after a deletion by a replaced owner")
        try await again.close()
    }

    private static func requireSame(
        _ expected: StoreContent, in store: any SessionStorage, _ moment: String
    ) async throws {
        guard let found = try? await StoreContent.read(store, partition: .incognito),
            found == expected
        else {
            throw Violation("\(moment): incognito sessions of the new owner are gone or changed")
        }
    }

    @Sendable static func deletionByTheNewOwner(_ context: CaseContext) async throws {
        var sampler = context.sampler
        let (location, old, new) = try await taken(context, &sampler)
        let late = sampler.window(tabs: 2, kind: .incognito)
        try await new.deleteIncognito()
        try await requireError(.fenced, from: "an incognito save of a replaced owner") {
            _ = try await old.save(late.creation)
        }
        try await requireNone(in: new, "after a save of a replaced owner")
        try? await old.close()
        let again = try await context.reopen(new, at: location)
        try await requireNone(in: again, "at the next opening")
        let other = try await context.succeed(at: location)
        try await requireNone(in: other, "after another takeover")
        try? await again.close()
        try await other.close()
    }

    private static func requireNone(in store: any SessionStorage, _ moment: String) async throws {
        let found = try await store.sessions().count { $0.partition == .incognito }
        try requireEqual(found, 0, "deleted incognito sessions that are there \(moment)")
    }
}
