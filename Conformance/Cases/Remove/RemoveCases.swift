import BrowserSessions
import ChildProcesses
import Foundation
import StorageEngines

/// Rules for the removal of stores.
enum RemoveCases {
    private static let window = Plain.window(1, tabs: 0..<4)

    /// Checks that nothing of a store is left, and that a new one has nothing of it.
    private static func requireNone(at location: String, _ context: CaseContext) async throws {
        try requireEqual(
            try LocationFiles(location).entries.keys.sorted(), [],
            "what is left of a removed store")
        try require(try !FileSystem.exists(location), "the folder of a removed store is left")
        try require(
            try await !context.removeStore(location),
            "a removal says that there was a store, and there was none")
        try await requireError(.notFound, from: "opening a removed store with 'create' false") {
            _ = try await context.open(location, options: ["create": .bool(false)])
        }
        try await context.withStore(at: location) { try await requireNew($0) }
    }

    private static func requireNew(_ store: any SessionStorage) async throws {
        let subject = "a new store in the place of a removed one"
        try requireEqual(try await store.sessions(), [], "the sessions of \(subject)")
        let report = try await store.check()
        try require(report.isHealthy && report.quarantined.isEmpty, "\(subject) has losses")
        _ = try await store.save(window.changes)
    }

    @Sendable static func removesAll(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        try require(
            try await context.removeStore(location), "a removal says that there was no store")
        try await requireNone(at: location, context)
        guard context.harness.persistence == .files else { return }
        // A folder above may be a link, and slashes may stand at the end.
        let folder = try await context.makeLocation("linked")
        try FileSystem.makeDirectories("\(folder)/real")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link", withDestinationPath: "\(folder)/real")
        let linked = "\(folder)/link/store"
        try await context.withStore(at: linked) { _ = try await $0.save(window.changes) }
        try require(try await context.removeStore(linked + "//"), "behind a link is no store")
        try requireEqual(try FileSystem.contents(of: "\(folder)/real"), [], "what is left there")
    }

    @Sendable static func removesDamaged(_ context: CaseContext) async throws {
        let files = try LocationFiles(try await UsedStore(context).location)
        let location = try await context.makeLocation("damaged")
        for file in files.files + ["regular/", "store"] {
            try files.write(to: location)
            for path in files.files where path.hasPrefix(file) {
                let bytes = files.entries[path] ?? []
                try LocationFiles.overwrite("\(location)/\(path)", with: bytes.map { ~$0 })
                if file == "store" { try HugeFiles.enlarge("\(location)/\(path)") }
            }
            // It sets aside what it cannot read.
            if file == "regular/" { try? await context.withStore(at: location) { _ in } }
            context.trying("'\(file)' damaged")
            do {
                try require(
                    try await context.removeStore(location), "'\(file)' damaged: is not removed")
            } catch let error as StorageError {
                throw Violation("a store with damage in '\(file)' is not removed: \(error.full)")
            }
            try require(try !FileSystem.exists(location), "'\(file)' damaged: something is left")
        }
    }

    @Sendable static func leavesOthers(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        try FileSystem.makeDirectories("\(location)/photos")
        let others = ["notes.txt", "photos/regular", "regular-notes", "store.json.bak"]
        for name in others { try LocationFiles.overwrite("\(location)/\(name)", with: [1, 2]) }
        for isThere in [true, false] {
            try requireEqual(
                try await context.removeStore(location), isThere, "whether there was a store")
            try requireEqual(
                try LocationFiles(location).files, others, "what is left beside a removed store")
        }
        for name in ["", "lock", "notes.txt", "quarantine"] {
            let folder = try await context.makeLocation()
            try FileSystem.makeDirectories(folder)
            if !name.isEmpty { try LocationFiles.overwrite("\(folder)/\(name)", with: []) }
            let before = try LocationFiles(folder)
            let wasThere = try? await context.removeStore(folder)
            try require(wasThere != true, "a folder with '\(name)' is taken for a store")
            try before.requireSame(at: folder, "a folder with '\(name)'")
            try require(try FileSystem.exists(folder), "a folder with '\(name)' was removed")
        }
    }

    /// Checks that a removal is refused and changes nothing.
    @discardableResult
    private static func requireRefusal(
        _ code: StorageError.Code, _ location: String, in folder: String? = nil,
        options: [String: OptionValue] = [:], _ subject: String, _ context: CaseContext
    ) async throws -> StorageError {
        let before = try LocationFiles(folder ?? location)
        let error = try await requireError(code, from: subject) {
            try await context.removeStore(location, options: options)
        }
        try requireEqual(error.operation, "remove", "the operation of \(subject)")
        try before.requireSame(at: folder ?? location, subject)
        return error
    }

    @Sendable static func keepsOpen(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        try await context.withStore(at: location) { store in
            let error = try await requireRefusal(
                .locked, location, "removing a store that is open", context)
            try require(
                error.message.contains("process \(getpid())"),
                "the error of a store that is open does not name its process")
            _ = try await store.save(Plain.window(2, tabs: 10..<12).changes)
        }
    }

    @Sendable static func keepsOtherMakers(_ context: CaseContext) async throws {
        for (field, value) in [("backend", "another"), ("format", 99)] as [(String, any Sendable)] {
            let location = try await context.closedStore()
            try RefusalCases.restamp(location, field, value)
            try await requireRefusal(
                .incompatibleFormat, location, "removing a store of another maker", context)
        }
    }

    @Sendable static func keepsLinked(_ context: CaseContext) async throws {
        let (real, folder) = (
            try await context.closedStore(), try await context.makeLocation("links")
        )
        func link(_ target: String, at path: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: target)
        }
        try FileSystem.makeDirectories("\(folder)/elsewhere")
        try LocationFiles.overwrite("\(folder)/elsewhere/letter", with: [1])
        try LocationFiles.overwrite("\(folder)/file", with: [1, 2, 3])
        try link(real, at: "\(folder)/link")
        for name in ["link", "link/", "link/.", "file", "file/below"] {
            try await requireRefusal(
                .unsafeLocation, "\(folder)/\(name)", in: real, "removing at '\(name)'", context)
        }
        let aside = "\(real)/quarantine"
        try link("\(folder)/elsewhere", at: aside)
        try await requireRefusal(.unsafeLocation, real, "removing at a link within", context)
        try FileSystem.remove(aside)
        try FileSystem.makeDirectories(aside)
        try link("\(folder)/elsewhere", at: "\(aside)/item")
        try require(try await context.removeStore(real), "a store with a link set aside stays")
        try require(try !FileSystem.exists(real), "something is left beside a link set aside")
        try requireEqual(
            try LocationFiles(folder).files, ["elsewhere/letter", "file", "link"],
            "what is where links lead to")
    }

    @Sendable static func keepsForReading(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        try await requireRefusal(
            .permissionDenied, location,
            options: ["access": .text(StorageAccess.readOnly.rawValue)],
            "removing for reading only", context)
    }

    @Sendable static func keepsWithoutRights(_ context: CaseContext) async throws {
        guard geteuid() != 0 else { throw NotTried("the superuser may do everything") }
        let location = try await context.closedStore()
        _ = chmod(location, 0o500)
        defer { _ = chmod(location, 0o700) }
        try await requireRefusal(.permissionDenied, location, "removing without rights", context)
    }

    @Sendable static func removesOnce(_ context: CaseContext) async throws {
        for _ in 0..<5 {
            let location = try await context.closedStore()
            let removed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do {
                            return try await context.removeStore(location)
                        } catch let error as StorageError where error.code == .locked {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try requireEqual(removed, 1, "of six removals that were begun at once removed a store")
            try await requireNone(at: location, context)
        }
    }

    /// Cuts the power, or kills, at every moment of a process that makes a store and removes it.
    static func isCut(_ context: CaseContext, _ model: DiskModel) async throws {
        var lab = try await PowerLab(context, model)
        let (location, sets) = (lab.location, lab.sets)
        guard let recording = try await lab.record(.recordedRemoval) else {
            return try lab.conclude()
        }
        let copy = try await context.makeLocation("removed again")
        try await lab.cut(recording, most: context.amount(60, full: 300, long: 1000)) { progress in
            // What a cut costs the making of a store, is POWER-2.
            guard progress.begun > 1 else { return }
            try FileSystem.remove(copy)
            if try FileSystem.exists(location) { try FileSystem.copy(location, to: copy) }
            do {
                try await context.withStore(at: location, options: ["create": .bool(false)]) {
                    try requireEqual(
                        try await sets.lastApplied(in: $0), 1, "the set after half a removal")
                    try require(try await $0.check().isHealthy, "half a removal reads as damage")
                }
                try require(
                    max(progress.certain, progress.acknowledged) < 2, "a removal was undone")
            } catch let error as StorageError {
                try require(error.code == .notFound, "half a removal: \(error.full)")
                try await context.withStore(at: location) { try await requireNew($0) }
            }
            try await context.removeStore(copy)
            try requireEqual(
                try LocationFiles(copy).entries.keys.sorted(), [], "what a second removal leaves")
        }
        try lab.conclude()
    }
}
