import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

/// `backup --keep`.
@Suite("Dated backups")
struct DatedBackupTests {
    private let workspace = Workspace()
    private let looks = LookTests()
    private let backend = Workspace.triedBackends[0]
    private var folder: String { workspace.file("dated") }

    private func save(_ count: UInt64, in store: String) async throws {
        try await workspace.withStore(store) { _ = try await $0.save(looks.tabs(0..<count)) }
    }

    private func backUp(
        _ store: String, keeping count: Int = 2, to target: String? = nil,
        environment: [String: String] = [:]
    ) throws -> ProgramOutcome {
        try Tool.run(
            [
                "backup", target ?? folder, "--keep", "\(count)", "--storage", store, "--format",
                "json",
            ], environment: environment)
    }

    /// Returns the name of a new backup, and the names that were removed.
    private func made(_ outcome: ProgramOutcome) throws -> (new: String, removed: [String]) {
        let answer = try outcome.json()
        func name(_ path: String?) -> String { (path ?? "").replacing(folder + "/", with: "") }
        return (name(answer["path"].text), answer["removed"].elements.map { name($0.text) })
    }

    private func names() throws -> Set<String> { Set(try FileSystem.contents(of: folder)) }

    /// Gives a backup the date of another time, in its name and its mark, and returns the name.
    private func setDate(_ year: Int, of name: String) throws -> String {
        let path = "\(folder)/\(year)-01-01T00-00-00Z-\(name)"
        try FileSystem.move("\(folder)/\(name)", to: path)
        let mark = String(decoding: try FileSystem.read(path + "/backup.json"), as: UTF8.self)
        let time = (year - 1970) * 31_557_600_000_000
        let lines = mark.split(separator: "\n").dropLast(2).map {
            $0.contains("\"microseconds\"") ? "  \"microseconds\": \(time)," : $0
        }
        let text = lines.joined(separator: "\n")
        let sum = CRC32C.checksum([UInt8](text.utf8))
        try FileSystem.replace(
            path + "/backup.json", with: [UInt8]("\(text)\n  \"checksum\": \(sum)\n}\n".utf8))
        expect(try StoreBackup.found(at: path) != nil)
        return String(path.dropFirst(folder.count + 1))
    }

    /// What else is in the folder, or happened to the clock or the store.
    enum Shape: CaseIterable {
        case nothing, clockBehind, oneChangeSet, otherStore, emptyStoreInPlace, otherAccount
        case olderStoreInPlace
    }

    /// Makes it so, and returns how many are to be kept, and which ones go then.
    private func make(_ shape: Shape, of store: String, _ old: inout [String]) async throws
        -> (keeping: Int, removed: [String])
    {
        switch shape {
        case .nothing, .oneChangeSet: break
        case .clockBehind:
            for place in 0...1 { old[place] = try setDate(2101 - place, of: old[place]) }
        case .otherStore:
            let other = workspace.store(backend, "other")
            try await save(2, in: other)
            for _ in 0..<3 { _ = try backUp(other) }
            expect(try names().count == 4 && names().isSuperset(of: old))
        case .emptyStoreInPlace:
            try FileSystem.remove(workspace.file("profile"))
            try await workspace.withStore(store) { _ in }
            _ = try backUp(store, keeping: 1)
            return (1, try Array(names().subtracting(old)))
        case .otherAccount:
            // What another account put there neither goes nor counts.
            guard geteuid() == 0 else { break }
            try FileSystem.copy("\(folder)/\(old[0])", to: folder + "/foreign")
            let foreign = "\(folder)/\(try setDate(2100, of: "foreign"))"
            try FileSystem.makeDirectory(folder + "/theirs.unfinished")
            try FileSystem.replace(folder + "/theirs.unfinished/backup.unfinished", with: [])
            let names = try FileManager.default.subpathsOfDirectory(atPath: foreign)
            let paths = ["", "../theirs.unfinished"] + names
            for name in paths { expect(chown("\(foreign)/\(name)", 4711, 4711), is: 0) }
        case .olderStoreInPlace:
            try FileSystem.remove(workspace.file("profile"))
            try FileSystem.copy("\(folder)/\(old[0])", to: workspace.file("profile"))
            return (1, [old[0]])
        }
        return (2, [old[0]])
    }

    @Test(
        "The oldest of the store go, by what was saved, and never the new one",
        arguments: Shape.allCases)
    func oldest(shape: Shape) async throws {
        let store = workspace.store(backend)
        try await save(2, in: store)
        var old: [String] = []
        for count in UInt64(3)...4 {
            old.append(try made(backUp(store)).new)
            if shape != .oneChangeSet { try await save(count, in: store) }
        }
        let (keeping, removed) = try await make(shape, of: store, &old)
        let before = try names()
        let outcome = try backUp(store, keeping: keeping)
        let answer = try made(outcome)
        expect(answer.removed, is: removed)
        expect(try names() == before.subtracting(removed).union([answer.new]))
        expect(outcome.messages.contains("the store went back"), is: shape == .olderStoreInPlace)
    }

    @Test("What is no whole backup, or is used, or has other files, stays")
    func others() async throws {
        let store = try workspace.imported(backend)
        let first = try made(backUp(store)).new
        for name in ["notes", "other.unfinished", "killed.unfinished"] {
            try FileSystem.makeDirectory("\(folder)/\(name)")
            try FileSystem.replace("\(folder)/\(name)/file", with: [1])
        }
        try FileSystem.replace("\(folder)/killed.unfinished/backup.unfinished", with: [])
        // One that somebody works with.
        try FileSystem.copy("\(folder)/\(first)", to: "\(folder)/used")
        try await save(1, in: "\(backend)://\(folder)/used")
        let second = try made(backUp(store)).new
        let third = try made(backUp(store))
        expect(third.removed == [first])
        let others: Set = ["notes", "used", "other.unfinished"]
        expect(try names() == others.union([second, third.new]))
        try FileSystem.remove("\(folder)/\(third.new)/store.json")
        try FileSystem.replace("\(folder)/\(second)/mine.txt", with: [1])
        for keeping in [2, 1] {
            let outcome = try backUp(store, keeping: keeping)
            expect(
                outcome.messages.contains(
                    "\(third.new)' is damaged, and does not count: 'store.json'"))
            expect(outcome.messages.contains("\(second)/mine.txt' is no file"), is: keeping == 1)
            expect(try names().isSuperset(of: others.union([second, third.new])))
        }
        expect(try backUp(store, keeping: 0).status, is: 64)
    }

    @Test("A target that is a store or a backup, or inside one, is refused and stays as it is")
    func places() async throws {
        let store = workspace.store(backend)
        for name in [store, workspace.store("directory", "other")] { try await save(2, in: name) }
        try Tool.run(["backup", folder + "/one", "--storage", store]).expectSuccess()
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("link"), withDestinationPath: workspace.file("other/regular"))
        try FileSystem.makeDirectory(workspace.file("left"))
        try FileSystem.replace(workspace.file("left/backup.unfinished"), with: [])
        let before = try looks.picture(workspace.path)
        for place in [
            "profile", "profile/new/deep", "other", "other/regular", "other/quarantine/new", "link",
            "dated/one", "dated/one/regular/new", "left", "left/new",
        ] {
            for arguments in [
                ["backup", workspace.file(place), "--keep", "2"],
                ["backup", workspace.file(place) + "/new"],
                ["backup", workspace.file(place) + "/new.tar"],
            ] {
                try Tool.run(arguments + ["--storage", store]).expectRefusal(place)
                expect(try looks.picture(workspace.path) == before, "\(arguments)")
            }
        }
    }

    @Test("One that cannot be read back is called whole, and the older ones go all the same")
    func withoutTemporaryFiles() async throws {
        let store = workspace.store(backend)
        try await save(2, in: store)
        let file = workspace.file("file")
        try FileSystem.replace(file, with: [])
        let first = try made(backUp(store, keeping: 1)).new
        let outcome = try backUp(store, keeping: 1, environment: ["TMPDIR": file])
        expect(outcome.status == 2 && outcome.messages.contains("TMPDIR"), "\(outcome.messages)")
        expect(outcome.messages.contains("is whole"), "\(outcome.messages)")
        expect(!outcome.messages.contains("no part of it"), "\(outcome.messages)")
        let answer = try outcome.json(status: 2)
        expect(answer["isCompared"] == .bool(false) && answer["removed"].elements.count == 1)
        expect(try names().count == 1 && !names().contains(first))
        try Tool.run(
            ["backup", workspace.file("one.tar"), "--storage", store],
            environment: ["TMPDIR": file]
        ).expectRefusal("is whole", isPartial: true)
        expect(try FileSystem.exists(workspace.file("one.tar")))
    }
}
