import BrowserSessions
import CDisk
import StorageEngines

/// CONCURRENCY-9 to -11: an opener that no lock keeps out, and other programs among the store's files.
extension ConformanceSuite {
    /// A file system in user space knows nothing of the locks of the folder below it. Here the first opener's lock
    /// is taken from it instead.
    @Sendable static func takenOver(_ context: CaseContext) async throws {
        let sets = NumberedSets()
        let location = try await context.makeLocation()
        let first = try await context.open(location)
        _ = try await first.save(sets.changes(1), durability: .powerLoss)
        guard location.withCString({ disk_release_locks($0) }) > 0 else {
            return context.note("the store holds no directory with a lock to take away")
        }
        let second: any SessionStorage
        do {
            second = try await context.open(location)
        } catch let error as StorageError where error.code == .locked {
            // Its library has locks of its own.
            try? await first.close()
            return
        }
        for level in [Durability.powerLoss, .processCrash, .powerLoss] {
            do {
                _ = try await first.save(sets.changes(2), durability: level)
            } catch {
                try requireEqual(error.code, .fenced, "the code of a save after another opening")
                continue
            }
            throw Violation("a save at \(level) was acknowledged after another opening")
        }
        try? await first.close()
        _ = try await second.save(sets.changes(2), durability: .powerLoss)
        try requireEqual(try await sets.lastApplied(in: second), 2, "the second opener's last set")
        let again = try await context.reopen(second, at: location)
        try requireEqual(try await sets.lastApplied(in: again), 2, "the last set")
        try await again.close()
    }

    /// Removes each file and folder of an open store, or puts an older copy in its place, as programs do that
    /// clean up, synchronize folders, bring back a backup, or write a file once more.
    static func changedFiles(_ context: CaseContext, isReplaced: Bool) async throws {
        var tried: Set<String> = []
        while let path = try await changeNextFile(context, isReplaced, after: tried) {
            tried.insert(path)
        }
        context.note("\(tried.count) files and folders, one after the other")
    }

    /// Returns the path that was changed; `nil` if all were.
    private static func changeNextFile(
        _ context: CaseContext, _ isReplaced: Bool, after tried: Set<String>
    ) async throws -> String? {
        let word = isReplaced ? "replaced" : "removed"
        let sets = NumberedSets()
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        for number in 1...2 { _ = try await store.save(sets.changes(number)) }
        let older = try await context.makeLocation("older")
        try FileSystem.copy(location, to: older)
        for number in 3...4 { _ = try await store.save(sets.changes(number)) }
        let paths = try LocationFiles(older).entries.keys.filter { path in
            try !tried.contains(path) && FileSystem.exists("\(location)/\(path)")
        }
        guard let path = paths.min() else {
            try await store.close()
            return nil
        }
        context.trying("'\(path)' \(word)")
        try await change(path, of: location, with: isReplaced ? older : nil, context)
        try await requireNoted(
            "'\(path)' was \(word)", in: store, at: location, sets: sets, context)
        return path
    }

    /// Saves two sets, and checks that they are refused, or are there.
    private static func requireNoted(
        _ change: String, in store: any SessionStorage, at location: String, sets: NumberedSets,
        _ context: CaseContext
    ) async throws {
        var refused: [StorageError] = []
        for number in 5...6 {
            do {
                _ = try await store.save(sets.changes(number), durability: .powerLoss)
            } catch { refused.append(error) }
        }
        try? await store.close()
        if let error = refused.first {
            let isNamed = [.durabilityLost, .fenced].contains(error.code)
            try require(isNamed, "\(change), and the save threw: \(error.full)")
            try requireEqual(refused.count, 2, "\(change): of two saves were refused")
            return
        }
        let again = try await context.open(location)
        let found = (try? await sets.lastApplied(in: again)) ?? 0
        try require(
            found == 6,
            "set 6 was acknowledged after \(change), and \(found) is there")
        try await again.close()
    }

    private static func change(
        _ path: String, of location: String, with older: String?, _ context: CaseContext
    ) async throws {
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        let away = try await context.makeLocation("away")
        if name != path || older == nil { try FileSystem.move("\(location)/\(name)", to: away) }
        if let older { try FileSystem.move("\(older)/\(name)", to: "\(location)/\(name)") }
    }

    @Sendable static func movedStore(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        let (old, moved) = (Plain.window(1, tabs: 0..<4), try await context.makeLocation("moved"))
        let store = try await context.open(location)
        try FileSystem.move(location, to: moved)
        let new = try await context.open(location)
        try requireEqual(try await new.sessions(), [], "the sessions of a new store")
        let (later, laterOff) = (
            Plain.window(2, tabs: 10..<15), Plain.window(2, tabs: 20..<23, kind: .incognito)
        )
        for window in [later, laterOff] { _ = try await new.save(window.changes) }
        // Enough for new files of any engine.
        for number in 0..<6 {
            var changes = old.changes
            changes.put(
                [UInt8](repeating: UInt8(number), count: 1 << 20), for: Plain.key(number % 3))
            _ = try await store.save(changes)
        }
        try await store.deleteIncognito()
        try await store.close()
        try await laterOff.check(in: new, "the new store after the moved one deleted incognito")
        try await new.close()
        for (place, window, subject) in [
            (location, later, "the new store"), (moved, old, "the moved store"),
        ] {
            try await context.withStore(at: place) { store in
                let regular = try await store.sessions().filter { $0.partition == .regular }
                try requireEqual(regular, [window.id], "the sessions of \(subject)")
                try await window.check(in: store, subject)
                try require(try await store.check().isHealthy, "\(subject) has losses")
            }
        }
    }
}
