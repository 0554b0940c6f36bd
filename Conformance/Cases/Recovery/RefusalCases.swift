import BrowserSessions
import Foundation
import LocalFiles
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

    @Sendable static func olderCopy(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let older = try await context.makeLocation()
        var sampler = context.sampler
        var window = sampler.window(tabs: 4)
        for run in 1...3 {
            let store = try await context.open(location)
            window.attributes.title = "run \(run)"
            _ = try await store.save(window.creation)
            try await store.close()
            if run == 1 { try FileSystem.copy(location, to: older) }
        }
        let partition = "\(location)/\(StoragePartition.regular.rawValue)"
        guard try FileSystem.status(partition)?.kind == .directory else {
            throw NotTried("the regular partition has no directory of its own")
        }
        try LocationFiles.replace(
            partition, withCopyOf: "\(older)/\(StoragePartition.regular.rawValue)")
        let store: any SessionStorage
        do {
            store = try await context.open(location)
        } catch let error as StorageError {
            try require(error.code == .corrupted, "opening an older copy threw \(error)")
            return
        }
        let report = try await store.check()
        try require(!report.isHealthy, "an older copy of the regular partition is called healthy")
        try await store.close()
    }

    /// Makes a closed store with a window, at a new location.
    private static func makeStore(_ context: CaseContext) async throws -> String {
        let location = try await context.makeLocation()
        var sampler = context.sampler
        let store = try await context.open(location)
        _ = try await store.save(sampler.window(tabs: 6, state: .blobs(50...200)).creation)
        try await store.close()
        return location
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
        if let difference = try LocationFiles(location).difference(from: before) {
            throw Violation("\(subject): \(difference)")
        }
    }

    @Sendable static func locked(_ context: CaseContext) async throws {
        let location = try await makeStore(context)
        let holder = try await context.open(location)
        try await requireRefusal([.locked], "a second opener", location, context)
        try await holder.close()
        let store = try await context.open(location)
        try require(
            try await store.check().losses.isEmpty, "a second opener caused losses")
        try await store.close()
    }

    @Sendable static func newerFormat(_ context: CaseContext) async throws {
        let location = try await makeStore(context)
        let names = ["store.json", "store-copy.json"]
        var stamps = 0
        for name in names where try FileSystem.exists("\(location)/\(name)") {
            let text = String(
                decoding: try FileSystem.read("\(location)/\(name)"), as: UTF8.self)
            guard let newer = newerStamp(text) else { continue }
            try LocationFiles.overwrite("\(location)/\(name)", with: [UInt8](newer.utf8))
            stamps += 1
        }
        guard stamps > 0 else {
            throw NotTried("the store has no stamp that is known")
        }
        try await requireRefusal([.incompatibleFormat], "a newer format", location, context)
    }

    /// Returns the stamp of the store's directory with a format of the distant future.
    private static func newerStamp(_ text: String) -> String? {
        guard let data = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
            let stamp = data as? [String: Any], let backend = stamp["backend"] as? String,
            let engine = stamp["engineFormat"] as? Int, let maker = stamp["createdBy"] as? String
        else { return nil }
        let sum = CRC32C.checksum([UInt8]("\(backend)/99/\(engine)/\(maker)".utf8))
        return """
            {
              "backend": "\(backend)",
              "format": 99,
              "engineFormat": \(engine),
              "createdBy": "\(maker)",
              "checksum": \(sum)
            }

            """
    }

    @Sendable static func withoutRights(_ context: CaseContext) async throws {
        guard geteuid() != 0 else {
            throw NotTried("the superuser may do everything")
        }
        let location = try await makeStore(context)
        _ = chmod(location, 0o500)
        defer { _ = chmod(location, 0o700) }
        try await requireRefusal(
            [.permissionDenied], "a directory without rights", location, context)
    }

    #if canImport(Glibc)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFiles = RLIMIT_NOFILE
    #endif

    @Sendable static func fewDescriptors(_ context: CaseContext) async throws {
        let location = try await makeStore(context)
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
