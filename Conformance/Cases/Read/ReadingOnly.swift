import BrowserSessions

/// READ-1: stores that must not be changed.
extension ReadCases {
    private static let readOnly: [String: OptionValue] = [
        "access": .text(StorageAccess.readOnly.rawValue)
    ]

    @Sendable static func readOnlyAccess(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let window = Plain.window(1, tabs: 0..<6)
        let blob = [UInt8](repeating: 7, count: 3000)
        try await context.withStore(at: location) { store in
            _ = try await store.save(window.changes)
            _ = try await store.save(SessionChanges(.putState(blob, for: Plain.key(0))))
        }
        let before = try LocationFiles(location)
        let store: any SessionStorage
        do {
            store = try await context.open(location, options: readOnly)
        } catch let error as StorageError where error.code == .unsupported {
            return context.note("'access' readOnly was refused: \(error.code.rawValue)")
        }
        try await requireContents(window, blob, in: store, "opened for reading only")
        try await requireRefusals(of: store)
        // Others may read it meanwhile.
        try await context.withStore(at: location, options: readOnly) {
            try await requireContents(window, blob, in: $0, "opened twice for reading only")
        }
        try await requireContents(window, blob, in: store, "after what was refused")
        try await store.close()
        try await requireError(.closed, from: "a save after close() of what was only read") {
            _ = try await store.save(window.changes)
        }
        try before.requireSame(at: location, "a store was opened for reading only")
        try await context.withStore(at: location) {
            try await requireContents(window, blob, in: $0, "opened for writing afterwards")
            _ = try await $0.save(Plain.window(2, tabs: 10..<12).changes)
            guard context.harness.persistence == .files else { return }
            try await requireError(.locked, from: "reading only what has an owner") {
                _ = try await context.open(location, options: readOnly)
            }
        }
    }

    /// Inspecting a store takes no restore point: afterward, the last owner's is there.
    @Sendable static func readOnlyEarlier(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let killed = try await context.makeLocation()
        let (earlier, now) = (Plain.window(1, tabs: 0..<2), Plain.window(1, tabs: 0..<5))
        try await context.withStore(at: location) { _ = try await $0.save(earlier.changes) }
        let owner = try await context.open(location)
        guard owner.traits.keepsRestorePoints else { return try await owner.close() }
        _ = try await owner.save(now.changes)
        let kept = try await owner.restorePoints()
        // The files are now as a killed owner leaves them.
        let hasFiles = try !LocationFiles(location).entries.isEmpty
        if hasFiles { try LocationFiles.replace(killed, withCopyOf: location) }
        try await owner.close()
        for place in hasFiles ? [location, killed] : [location] {
            let before = try LocationFiles(place)
            do {
                try await requireEarlier(earlier, now, kept, context.open(place, options: readOnly))
            } catch let error as StorageError where error.code == .unsupported {
                return context.note("'access' readOnly was refused: \(error.code.rawValue)")
            }
            try before.requireSame(at: place, "a restore point was looked at")
        }
    }

    private static func requireEarlier(
        _ earlier: ExpectedSession, _ now: ExpectedSession, _ kept: [RestorePoint],
        _ store: any SessionStorage
    ) async throws {
        try await now.check(in: store, "what is only read")
        let subject = "the restore point of what is only read"
        let found = try unwrap(
            try await store.restoreEarlier(earlier.id), "\(subject) is absent")
        try earlier.check(found, subject)
        try requireEqual(
            try await store.restorePoints(), kept, "the restore points of what is only read")
        try await store.close()
    }

    private static func requireContents(
        _ window: ExpectedSession, _ blob: [UInt8], in store: any SessionStorage, _ subject: String
    ) async throws {
        try await window.check(in: store, subject)
        try requireEqual(try await store.sessions().count, 1, "the number of sessions \(subject)")
        try await requireStates([Plain.key(0): blob], in: store, subject)
        try requireEqual(try await store.check().losses, [], "the losses \(subject)")
    }

    private static func requireRefusals(of store: any SessionStorage) async throws {
        func refuse(_ call: String, _ work: () async throws -> Void) async throws {
            try await requireError(
                .permissionDenied, from: "\(call) of a store opened for reading only", work)
        }
        try await refuse("save()") {
            _ = try await store.save(Plain.window(2, tabs: 10..<12).changes)
        }
        try await refuse("check(.repair)") { _ = try await store.repair() }
        try await refuse("deleteIncognito()") { try await store.deleteIncognito() }
        try await refuse("erase(.quarantine)") { try await store.erase(.quarantine) }
        if store.traits.removalErasure != nil {
            try await refuse("erase(.removedData)") { try await store.erase(.removedData) }
        }
    }

    @Sendable static func readOnlyAbsence(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let error = try await storageError(from: "opening an absent store for reading only") {
            _ = try await context.open(location, options: readOnly)
        }
        if error.code == .unsupported { return context.note("'access' readOnly was refused") }
        try requireEqual(error.code, .notFound, "the error of an absent store, opened for reading")
        try LocationFiles("").requireSame(at: location, "nothing was there to read")
    }
}
