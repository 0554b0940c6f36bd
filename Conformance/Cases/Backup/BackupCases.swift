import BrowserSessions
import Foundation
import StorageEngines

/// Rules for backups, and for copies of files.
enum BackupCases {
    private static let sets = NumberedSets(stateBytes: 2000)

    @Sendable static func holdsWhatWasSaved(_ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let folder = try await context.makeLocation("backups")
        let (one, other) = ("\(folder)/one", "\(folder)/other")
        try await context.withStore(at: location) { owner in
            _ = try await owner.save(Plain.window(1, tabs: 0..<2, kind: .incognito).changes)
            for number in 1...25 { _ = try await owner.save(sets.changes(number)) }
            let first = try await backUp(location, to: one, last: 25, context)
            let same = try await backUp(location, to: other, last: 25, context)
            try requireEqual(same.digest, first.digest, "the digest of the same sessions")
            if owner.traits.takesRestorePoints {
                _ = try await owner.takeRestorePoint(name: "a point", pinned: true)
                let pointed = try await backUp(location, to: other, last: 25, context)
                try requireEqual(pointed.digest, first.digest, "the digest with another point")
            }
            let receipt = try await owner.save(sets.changes(26))
            let second = try await backUp(location, to: one, last: 26, context)
            try requireEqual(second.sequence, receipt.sequence, "the number of a backup's last set")
            try require(second.digest != first.digest, "the digest of other sessions is the same")
            try requireEqual(second.store, first.store, "the store that a backup is of")
        }
        try requireEqual(
            try FileSystem.contents(of: folder).sorted(), ["one", "other"],
            "what is beside the backups")
    }

    /// Makes a backup, and checks that it has the sets up to one, and that the store is as it was.
    private static func backUp(
        _ location: String, to path: String, last: Int, _ context: CaseContext
    ) async throws -> StoreBackup {
        let before = try LocationFiles(location)
        let backup = try await context.backUp(location, to: path)
        try before.requireSame(at: location, "the store when it was backed up")
        // To read it is no use of it.
        for _ in 1...2 {
            try requireEqual(try StoreBackup.found(at: path), backup, "what the backup is")
            let options: [String: OptionValue] = [
                "access": .text(StorageAccess.readOnly.rawValue), "create": .bool(false),
            ]
            try await context.withStore(at: path, options: options) { store in
                try requireEqual(
                    try await sets.lastApplied(in: store), last, "the last set of a backup")
                try require(try await store.check().isHealthy, "a backup reads as damaged")
                try require(
                    try await store.sessions().allSatisfy { $0.partition == .regular },
                    "a backup has incognito sessions")
            }
        }
        return backup
    }

    @Sendable static func refuses(_ context: CaseContext) async throws {
        for file in ["", "/notes.txt", ".unfinished/notes.txt", ".replaced/notes.txt"] {
            try await refuse("'backup\(file)' of others", context) {
                try write("\($0)/backup\(file)")
            }
        }
        for file in ["notes.txt", "regular/notes.txt"] {
            try await refuse("a backup with '\(file)' of others", context) { folder in
                try await context.backUp("\(folder)/store", to: "\(folder)/backup")
                try write("\(folder)/backup/\(file)")
            }
        }
        try await refuse("a backup that was saved to", context) { folder in
            try await context.backUp("\(folder)/store", to: "\(folder)/backup")
            try await context.withStore(at: "\(folder)/backup") {
                _ = try await $0.save(sets.changes(2))
            }
        }
        try await refuse("behind a link", to: "link/backup", context) {
            try FileManager.default.createSymbolicLink(
                atPath: "\($0)/link", withDestinationPath: "\($0)/store")
        }
        for path in ["store", "store/regular/new/backup"] {
            try await refuse("the store", to: path, context)
        }
        try await refuse("no store", of: "none", code: .notFound, context)
    }

    /// Checks that a backup is refused, and that the folder with the store and the backup stays as it is.
    private static func refuse(
        _ subject: String, of store: String = "store", to path: String = "backup",
        code: StorageError.Code = .unsafeLocation, _ context: CaseContext,
        _ prepare: (_ folder: String) async throws -> Void = { _ in }
    ) async throws {
        let folder = try await context.makeLocation("folder")
        try FileSystem.makeDirectories(folder)
        try await context.withStore(at: "\(folder)/store") {
            _ = try await $0.save(sets.changes(1))
        }
        try await prepare(folder)
        let before = try LocationFiles(folder)
        try await requireError(code, from: "a backup to \(subject)") {
            try await context.backUp("\(folder)/\(store)", to: "\(folder)/\(path)")
        }
        try before.requireSame(at: folder, "a backup to \(subject)")
    }

    private static func write(_ path: String) throws {
        try FileSystem.makeDirectories(FileSystem.parent(of: path))
        try LocationFiles.overwrite(path, with: [1])
    }

    /// How a copy was made, and what it is written over.
    enum CopiedOver: String, CaseIterable, Sendable {
        case closedOverClosed = "of a closed store over a closed one"
        case closedOverOpen = "of a closed store over an open one"
        case openOverClosed = "of an open store over a closed one"
        case openOverOpen = "of an open store over an open one"
        case closedOverKilled = "of a closed store over a killed one"

        var isOfOpenStore: Bool { self == .openOverClosed || self == .openOverOpen }
        var isOverOpenStore: Bool { self == .closedOverOpen || self == .openOverOpen }
    }

    @Sendable static func copiedOver(_ how: CopiedOver, _ context: CaseContext) async throws {
        let location = try await context.makeLocation()
        let copy = try await context.makeLocation("copy")
        let killed = try await context.makeLocation("killed")
        var store = try await context.open(location)
        try await save(1, in: store)
        if how.isOfOpenStore { try FileSystem.copy(location, to: copy) }
        try await store.close()
        if !how.isOfOpenStore { try FileSystem.copy(location, to: copy) }
        for number in 2...4 {
            store = try await context.open(location)
            try await save(number, in: store)
            if number < 4 { try await store.close() }
        }
        // What may come back without a word.
        var expected: Set<Int> = how == .openOverClosed ? [1, 4] : [1]
        if how.isOverOpenStore {
            try copyOver(copy, location)
            do {
                try await save(5, in: store)
                expected = [5]
            } catch { expected = [4, 5] }
        }
        try FileSystem.copy(location, to: killed)
        try? await store.close()
        if how == .closedOverKilled { try LocationFiles.replace(location, withCopyOf: killed) }
        if !how.isOverOpenStore { try copyOver(copy, location) }
        try await context.withStore(at: location) { try await requireOne(of: expected, in: $0) }
    }

    private static func requireOne(of expected: Set<Int>, in store: any SessionStorage) async throws
    {
        let report = try await store.check()
        let found = try await savedNumbers(in: store)
        // Of what was refused, the first of its sets may be there.
        let isWhole = found.count == 1 || found == [4, 5] && expected == [4, 5]
        try require(isWhole, "copied over: files of the states \(found.sorted()) were mixed")
        try require(
            found.isSubset(of: expected) || !report.losses.isEmpty,
            "copied over: \(found.sorted()) came back, and nothing says so")
    }

    /// Copies what is in a folder over what is in another: contents change, files stay.
    private static func copyOver(_ source: String, _ target: String) throws {
        let files = try LocationFiles(source)
        for (path, bytes) in files.entries.sorted(by: { $0.key < $1.key }) {
            guard !path.hasSuffix("/") else {
                try FileSystem.makeDirectories("\(target)/\(path.dropLast())")
                continue
            }
            let file = try PosixFile(
                opening: "\(target)/\(path)", flags: O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(bytes)
        }
    }

    private static func save(_ number: Int, in store: any SessionStorage) async throws {
        for tab in 0..<20 {
            var changes = Plain.window(1, tabs: tab..<tab + 1, title: "\(number)").changes
            changes.put([UInt8](repeating: UInt8(number), count: 2000), for: Plain.key(tab))
            _ = try await store.save(changes, durability: .powerLoss)
        }
    }

    /// Returns the numbers that tabs, states and attributes show, with -1 if a tab is not there.
    private static func savedNumbers(in store: any SessionStorage) async throws -> Set<Int> {
        guard let session = try await store.restore(Plain.session(1)) else { return [] }
        var found = Set(
            (session.tabs.map(\.title) + [session.attributes.title]).compactMap { Int($0) })
        for tab in session.tabs {
            let state = try await store.state(of: Plain.key(Int(tab.id.low)))
            if let number = state?.first { found.insert(Int(number)) }
        }
        if session.tabs.count != 20 { found.insert(-1) }
        return found
    }
}
