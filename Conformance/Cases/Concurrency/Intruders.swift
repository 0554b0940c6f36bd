import BrowserSessions
import CDisk
import LocalFiles

/// CONCURRENCY-9 and -10: an opener that no lock keeps out, and other programs among the store's files.
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

    /// Puts an older copy of each file and folder of an open store in its place, as programs do that synchronize
    /// folders, bring back a backup, or write a file once more.
    @Sendable static func replacedFiles(_ context: CaseContext) async throws {
        var tried: Set<String> = []
        while let path = try await replaceNextFile(context, after: tried) { tried.insert(path) }
        context.note("\(tried.count) files and folders, one after the other")
    }

    /// Returns the path that was replaced; `nil` if all were.
    private static func replaceNextFile(_ context: CaseContext, after tried: Set<String>)
        async throws -> String?
    {
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
        context.trying("'\(path)' replaced")
        try await exchange(path, of: location, with: older, context)
        var refused: [StorageError] = []
        for number in 5...6 {
            do {
                _ = try await store.save(sets.changes(number), durability: .powerLoss)
            } catch { refused.append(error) }
        }
        try? await store.close()
        if let error = refused.first {
            let isNamed = [.durabilityLost, .fenced].contains(error.code)
            try require(isNamed, "'\(path)' was replaced, and the save threw: \(error.full)")
            try requireEqual(refused.count, 2, "'\(path)' was replaced: of two saves were refused")
            return path
        }
        let again = try await context.open(location)
        let found = (try? await sets.lastApplied(in: again)) ?? 0
        try require(
            found == 6, "set 6 was acknowledged after '\(path)' was replaced, and \(found) is there"
        )
        try await again.close()
        return path
    }

    private static func exchange(
        _ path: String, of location: String, with older: String, _ context: CaseContext
    ) async throws {
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        let away = try await context.makeLocation("away")
        if name != path { try FileSystem.move("\(location)/\(name)", to: away) }
        try FileSystem.move("\(older)/\(name)", to: "\(location)/\(name)")
    }
}
