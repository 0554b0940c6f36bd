import BrowserSessions
import Expectations
import SessionSamples
import StorageEngines
import TestSupport

@testable import DirectoryBackend

/// Files with changed values and mended checksums, so that the values are read.
@Suite("Changed values in the files of the directory engine")
struct DirectoryFuzzTests {
    typealias Recipe = ResealedFile.Recipe

    /// Files of a store that was killed, by their names.
    private static func sample() throws -> [String: [UInt8]] {
        let scratch = TemporaryFolder(inMemory: true)
        let engine = DirectoryEngine()
        for round in UInt8(0)..<4 {
            let store = try engine.open(scratch.path)
            for number in UInt8(0)..<6 {
                try store.put([round, number], [number], durably: number < 3)
                let blob = [UInt8](repeating: round, count: 200)
                try store.put(blob, [number % 3], in: .state, durably: false)
            }
            var batch = ByteBatch()
            batch.remove([4], in: .metadata)
            try store.write(batch, durably: false)
            // The last two are killed.
            if round < 2 { try store.close() }
        }
        var files: [String: [UInt8]] = [:]
        for name in try FileSystem.contents(of: scratch.path) {
            files[name] = try FileSystem.read("\(scratch.path)/\(name)")
        }
        return files
    }

    /// The files with one of them changed.
    private static func change(
        _ files: [String: [UInt8]], _ name: String, _ recipes: [Recipe]
    ) throws -> [String: [UInt8]] {
        let (number, kind) = try require(Replay.number(of: name))
        let original = try require(files[name])
        let sound = try ResealedFile(original, number: number)
        var file = try require(sound)
        var files = files
        var newName = name
        for recipe in recipes {
            file.apply(recipe)
            if case .rename(let number) = recipe { newName = Replay.name(number, kind) }
        }
        files[name] = nil
        files[newName] = file.bytes
        return files
    }

    /// Opens, reads, writes, closes and salvages. No more comes out than lies there, and what was written
    /// then is read again.
    private func use(_ files: [String: [UInt8]], wasClosed: Bool) throws {
        let engine = DirectoryEngine()
        let scratch = TemporaryFolder(inMemory: true)
        for (name, bytes) in files {
            try FileSystem.replace("\(scratch.path)/\(name)", with: bytes)
        }
        let size = files.values.reduce(0) { $0 + $1.count }
        var isWritten = false
        do {
            let store = try engine.open(scratch.path, wasClosed: wasClosed)
            var bytes = 0
            for space in KeySpace.allCases {
                do {
                    try store.scan(space, prefix: []) { bytes += $1.count }
                } catch let error as StorageError { expect(error.code, is: .corrupted) }
            }
            expect(bytes <= size)
            _ = try store.verify()
            try store.put([9], [99])
            isWritten = true
            try store.maintain()
            try store.close()
            expect(
                try engine.open(scratch.path, wasClosed: true).value(of: [99], in: .metadata) == [9]
            )
        } catch let error as StorageError {
            expect(error.code == .corrupted || error.code == .tooLarge, "\(error)")
        }
        var (bytes, found) = (0, false)
        _ = try engine.salvage(scratch.path) { _, key, value in
            bytes += value.count
            found = found || [UInt8](key) == [99]
        }
        expect(bytes <= size + 1)
        expect(found, is: isWritten)
    }

    private static func recipe(_ random: inout SeededGenerator) -> Recipe {
        let (record, place) = (
            Int.random(in: 0..<64, using: &random), Int.random(in: 0..<64, using: &random)
        )
        let number = HostileBytes.numbers.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return .header(at: [20, 28].randomElement(using: &random) ?? 20, number)
        case 1:
            let word = UInt32(truncatingIfNeeded: number)
            return .head(record: record, word: place % 3, word)
        case 2, 3: return .byte(record: record, at: place, UInt8.random(in: 0...8, using: &random))
        case 4, 5, 6: return .number(record: record, at: place, number)
        case 7: return .double(record: record)
        default: return .drop(record: record)
        }
    }

    @Test("No changed value traps, makes much of little or keeps a store from being salvaged")
    func random() throws {
        let files = try Self.sample()
        let names = files.keys.sorted()
        var random = SeededGenerator(seed: 36)
        for turn in 0..<(TestRun.isNightly ? 30_000 : 150) {
            let name = names[turn % names.count]
            let recipes = (0...Int.random(in: 0...2, using: &random)).map { _ in
                Self.recipe(&random)
            }
            let changed = try Self.change(files, name, recipes)
            try use(changed, wasClosed: turn.isMultiple(of: 3))
        }
    }

    @Test(
        "What was found",
        arguments: [
            [.rename(.max)], [.rename(Int(StoredNumber.limit) - 1)], [.rename(1 << 40)],
            [.header(at: 20, UInt64(Int64.max))], [.header(at: 28, .max)],
            [.head(record: 0, word: 0, .max)], [.head(record: 1, word: 2, .max)],
            [.number(record: 0, at: 2, .max)], [.number(record: 0, at: 2, 1 << 62)],
        ] as [[Recipe]])
    func named(recipes: [Recipe]) throws {
        let files = try Self.sample()
        for name in files.keys.sorted() {
            try use(try Self.change(files, name, recipes), wasClosed: false)
        }
    }
}
