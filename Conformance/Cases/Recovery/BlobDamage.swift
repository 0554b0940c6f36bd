import BrowserSessions
import SessionSamples
import StorageEngines

/// RECOVERY-11: a store with one damaged blob, and nothing else.
struct BlobDamage: Sendable {
    private static let count = 6
    /// A size above the pages and blocks in which engines keep and check several records.
    private static let size = 8 << 10
    private let window = Plain.window(1, tabs: 0..<count)
    private let other = Plain.window(2, tabs: count..<2 * count)
    /// All blobs except the damaged one.
    private var sound: [TabStateKey: [UInt8]] = [:]
    private let damaged = Plain.key(2, .native)
    private let blob: [UInt8]
    private let context: CaseContext
    private let location: String

    /// Makes the store. The blob comes in a set of its own, in a later run than the tabs.
    ///
    /// - Parameter rests: whether the store was opened since, which moves new content to its final
    ///   location.
    init(_ context: CaseContext, rests: Bool) async throws {
        self.context = context
        location = try await context.makeLocation()
        var generator = context.generator
        func bytes() -> [UInt8] {
            (0..<Self.size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
        blob = bytes()
        var blobs: [SessionChanges.Change] = [.putState(bytes(), for: damaged)]
        for tab in 0..<2 * Self.count {
            for name in [StateName.native, .navigation] where Plain.key(tab, name) != damaged {
                sound[Plain.key(tab, name)] = bytes()
            }
        }
        blobs += sound.map { .putState($0.value, for: $0.key) }
        try await context.withStore(at: location) { store in
            _ = try await store.save(window.changes)
            _ = try await store.save(other.changes)
            _ = try await store.save(SessionChanges(all: blobs))
        }
        try await context.withStore(at: location) { store in
            _ = try await store.save(SessionChanges(.putState(blob, for: damaged)))
        }
        if rests { try await context.withStore(at: location) { _ = try await $0.sessions() } }
    }

    func tryIt() async throws {
        let middle = Self.size / 2
        guard try LocationFiles.flip([UInt8](blob[middle..<middle + 32]), below: location) else {
            throw NotTried("the blob is in no file as it was saved")
        }
        try await requireOneLoss()
    }

    /// Requires that the blob is lost and reported as lost, and nothing else.
    private func requireOneLoss() async throws {
        try await context.withStore(at: location) { store in
            try await requireTabs(in: store)
            try await requireStates(sound, in: store, "beside a damaged blob")
            // A store may be able to correct the bit.
            if try await comesBack(in: store) { return }
            try await requireError(.corrupted, from: "reading the damaged blob") {
                _ = try await store.state(of: damaged)
            }
            let keys = Set(try await store.stateKeys(in: window.id))
            try require(keys.contains(damaged), "the key of the damaged blob is not listed")
            let report = try await store.check()
            let losses = report.losses.filter {
                $0.kind == .state && $0.tab == damaged.tab && $0.session == window.id
            }
            try require(
                losses.count == 1, "the report has \(losses.count) losses of the damaged blob")
            try requireEqual(
                report.losses.map(\.detail), losses.map(\.detail),
                "the losses of a store with one damaged blob")
        }
    }

    /// Whether the damaged blob is as it was saved; then there must be no loss.
    private func comesBack(in store: any SessionStorage) async throws -> Bool {
        guard let found = try? await store.state(of: damaged) else { return false }
        try requireEqual(found, blob, "the bytes of the damaged blob")
        try requireEqual(
            try await store.check().losses, [], "the losses of a store that lost nothing")
        return true
    }

    private func requireTabs(in store: any SessionStorage) async throws {
        let ids = [window.id, other.id].sorted()
        try requireEqual(try await store.sessions(), ids, "the sessions beside a damaged blob")
        for expected in [window, other] {
            let found = try unwrap(
                try await store.restore(expected.id), "a session is absent beside a damaged blob")
            try expected.check(found, "beside a damaged blob")
            guard store.traits.keepsRestorePoints else { continue }
            let earlier = try unwrap(
                try await store.restoreEarlier(expected.id),
                "the session is absent at the restore point beside a damaged blob")
            try expected.check(earlier, "the session at the restore point beside a damaged blob")
        }
    }
}
