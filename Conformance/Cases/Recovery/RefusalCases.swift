import BrowserSessions
import Foundation
import SessionSamples
import StorageEngines

/// Rules for trouble outside the store's bytes.
enum RefusalCases {
    @Sendable static func unfinishedTail(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let first = try await context.makeLocation()
        let second = try await context.makeLocation()
        var sampler = context.sampler
        let windows = sampler.windows(2, tabs: 4, state: .blobs(200...900))
        let store = try await context.open(location)
        _ = try await store.save(windows[0].creation, durability: .processCrash)
        try FileSystem.copy(location, to: first)
        _ = try await store.save(windows[1].creation, durability: .processCrash)
        try FileSystem.copy(location, to: second)
        try await store.close()
        let before = try LocationFiles(first)
        let after = try LocationFiles(second)
        var generator = context.generator
        var tried = 0
        for file in after.files {
            guard let old = before.entries[file], let new = after.entries[file], !old.isEmpty,
                new.count > old.count, new.starts(with: old)
            else { continue }
            for end in [new.count - 1, generator.integer(in: old.count + 1...new.count - 1)] {
                tried += 1
                try LocationFiles.replace(location, withCopyOf: second)
                try LocationFiles.overwrite("\(location)/\(file)", with: [UInt8](new.prefix(end)))
                try await requireFirst(windows, at: location, context)
            }
        }
        if tried == 0 { throw NotTried("no file only grows") }
    }

    private static func requireFirst(
        _ windows: [SessionSnapshot], at location: String, _ context: CaseContext
    ) async throws {
        let store = try await context.open(location)
        let report = try await store.check()
        try require(report.isHealthy, "an unfinished write is called damage")
        let content = try await StoreContent.read(store)
        try require(
            content == StoreContent([windows[0]]) || content == StoreContent(windows),
            "after an unfinished write the sets before it are not there")
        try await store.close()
    }

    @Sendable static func olderCopies(_ context: CaseContext) async throws {
        for kind in [SessionKind.regular, .incognito] {
            // The key of such a partition ended with the first run.
            if kind == .incognito, context.traits.incognitoDurability < .processCrash { continue }
            for isClosed in [true, false] { try await olderCopy(of: kind, isClosed, context) }
        }
    }

    private static func olderCopy(
        of kind: SessionKind, _ isClosed: Bool, _ context: CaseContext
    ) async throws {
        let location = try await context.makeLocation()
        let partition = Plain.session(1, kind).partition.rawValue
        let (older, killed) = (
            try await context.makeLocation("older"), try await context.makeLocation("killed")
        )
        for run in 1...4 {
            try await context.withStore(at: location) { store in
                if run < 4 {
                    let window = Plain.window(1, tabs: 0..<run + 2, kind: kind)
                    _ = try await store.save(window.changes)
                }
                try FileSystem.remove(killed)
                try FileSystem.copy(location, to: killed)
            }
            if run == 1 { try FileSystem.copy(location, to: older) }
        }
        guard try FileSystem.status("\(location)/\(partition)")?.kind == .directory else {
            throw NotTried("the \(partition) partition has no directory of its own")
        }
        if !isClosed { try LocationFiles.replace(location, withCopyOf: killed) }
        try LocationFiles.replace(
            "\(location)/\(partition)", withCopyOf: "\(older)/\(partition)")
        try await requireReport(
            "an older copy of the \(partition) partition", location, kind, context)
    }

    private static func requireReport(
        _ subject: String, _ location: String, _ kind: SessionKind, _ context: CaseContext
    ) async throws {
        do {
            for _ in 1...2 {
                try await context.withStore(at: location) {
                    try require(try await !$0.check().isHealthy, "\(subject) is called healthy")
                }
            }
        } catch let error as StorageError {
            return try require(error.code == .corrupted, "opening \(subject) threw \(error)")
        }
        try await context.withStore(at: location) { _ = try await $0.repair() }
        try await context.withStore(at: location) { store in
            try require(try await store.check().isHealthy, "\(subject), repaired, has losses")
            let session = try await store.restore(Plain.session(1, kind))
            try require(session?.provenance != .salvaged, "\(subject), repaired, is salvaged")
        }
    }

    /// Requires that opening throws one of the codes, and changes nothing.
    private static func requireRefusal(
        _ codes: [StorageError.Code], _ subject: String, _ location: String, _ context: CaseContext
    ) async throws {
        let before = try LocationFiles(location)
        do {
            let store = try await context.open(location)
            try await store.close()
            throw Violation("\(subject): the store was opened all the same")
        } catch let error as StorageError {
            try require(
                codes.contains(error.code),
                "\(subject): threw .\(error.code.rawValue): \(error.full)")
        }
        try before.requireSame(at: location, subject)
    }

    @Sendable static func otherMakers(_ context: CaseContext) async throws {
        let changes: [(String, any Sendable)] = [
            ("format", 99), ("format", 1), ("engineFormat", 99), ("backend", "another"),
        ]
        for (field, value) in changes {
            let location = try await context.closedStore()
            try restamp(location, field, value)
            try await requireRefusal(
                [.incompatibleFormat], "a store of \(field) \(value)", location, context)
        }
    }

    /// Lets a store say that something else made it.
    static func restamp(_ location: String, _ field: String, _ value: any Sendable) throws {
        let names = ["store.json", "store-copy.json"].map { "\(location)/\($0)" }
        for name in try names.filter({ try FileSystem.exists($0) }) {
            let json = try? JSONSerialization.jsonObject(with: Data(FileSystem.read(name)))
            guard var stamp = json as? [String: Any] else { continue }
            stamp[field] = value
            let parts = ["backend", "format", "engineFormat", "createdBy", "id"].compactMap {
                stamp[$0].map { "\($0)" }
            }
            stamp["checksum"] = Int(CRC32C.checksum([UInt8](parts.joined(separator: "/").utf8)))
            let bytes = try JSONSerialization.data(withJSONObject: stamp, options: .prettyPrinted)
            try LocationFiles.overwrite(name, with: [UInt8](bytes))
        }
        guard try FileSystem.exists(names[0]) else { throw NotTried("the store has no stamp") }
    }

    @Sendable static func withoutRights(_ context: CaseContext) async throws {
        guard geteuid() != 0 else {
            throw NotTried("the superuser may do everything")
        }
        let location = try await context.closedStore()
        for (name, mode) in [("", 0o500), ("/regular", 0), ("/lock", 0)] as [(String, mode_t)] {
            guard let rights = try FileSystem.status(location + name)?.permissions else { continue }
            _ = chmod(location + name, mode)
            defer { _ = chmod(location + name, mode_t(rights)) }
            try await requireRefusal(
                [.permissionDenied], "a store without rights to '\(name)'", location, context)
        }
    }

    @Sendable static func wrongTimes(_ context: CaseContext) async throws {
        for seconds in [-2_208_988_800, 0, 10_413_792_000] {
            let location = try await context.closedStore()
            let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
            for file in try LocationFiles(location).files {
                utimensat(AT_FDCWD, "\(location)/\(file)", times, 0)
            }
            _ = try await content(location, context)
        }
    }

    #if canImport(Glibc)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFiles = RLIMIT_NOFILE
    #endif

    @Sendable static func fewDescriptors(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        let expected = try await content(location, context)
        var limit = rlimit()
        getrlimit(openFiles, &limit)
        let original = limit
        var refusals = 0
        for spare in 0..<10 {
            let next = dup(0)
            close(next)
            limit.rlim_cur = rlim_t(Int(next) + spare)
            setrlimit(openFiles, &limit)
            var code: StorageError.Code?
            do {
                let store = try await context.open(location)
                try await store.close()
            } catch let error as StorageError {
                code = error.code
            }
            var restored = original
            setrlimit(openFiles, &restored)
            refusals += code == nil ? 0 : 1
            try require(
                code != .corrupted, "with \(spare) descriptors left opening threw .corrupted")
            try require(
                try await content(location, context) == expected,
                "opening with \(spare) descriptors left cost something that was saved")
        }
        context.note("of 10 openings with few descriptors \(refusals) were refused")
    }

    private static func content(_ location: String, _ context: CaseContext) async throws
        -> StoreContent
    {
        let store = try await context.open(location)
        let report = try await store.check()
        try require(report.isHealthy, "a store that was opened without trouble has losses")
        let content = try await StoreContent.read(store)
        try await store.close()
        return content
    }

    @Sendable static func foreignDirectory(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        try FileSystem.makeDirectories("\(location)/letters")
        try LocationFiles.overwrite("\(location)/letters/letter.txt", with: [1, 2, 3])
        try await requireRefusal(
            [.unsafeLocation], "a directory of another program", location, context)
    }
}
