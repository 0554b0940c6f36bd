import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import StorageEngines
import TestSupport

@Suite(
    "Full disk", .serialized,
    .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs more rights"))
struct FullDiskTests {
    @Test(
        "A full disk costs no data, and saving goes on when there is space",
        arguments: TestedEngine.withDirectory, [false, true])
    func fullDisk(tested: TestedEngine, durably: Bool) throws {
        let disk = try SmallDisk(kibibytes: 16 << 10)
        let path = "\(disk.path)/store"
        try FileSystem.makeDirectory(path)
        let store = try tested.engine.open(path)
        var expected: [[UInt8]: [UInt8]] = [:]
        var random = SeededGenerator(seed: 4)
        try store.put([1, 2, 3], [0])
        expected[[0]] = [1, 2, 3]
        try FileSystem.replace(
            "\(disk.path)/ballast", with: [UInt8](repeating: 1, count: 11 << 20))
        var failures = 0
        for number in UInt8(1)..<100 where failures < 3 {
            let value = random.bytes(90_000)
            do {
                try store.put(value, [number], in: .state, durably: durably)
                expected[[number]] = value
            } catch let error as StorageError {
                failures += 1
                expect(error.code, is: .outOfSpace, "\(error)")
                expect(error.effect, is: .notApplied)
            }
        }
        expect(failures, is: 3)
        expect(try store.value(of: [0], in: .metadata) == [1, 2, 3])
        for (key, value) in expected where key != [0] {
            expect(try store.value(of: key, in: .state) == value)
        }
        try FileSystem.remove("\(disk.path)/ballast")
        try store.put([9], [200], durably: true)
        expect(try store.contents(.state) == expected.filter { $0.key != [0] })
        try store.close()
        let revived = try tested.engine.open(path)
        expect(try revived.contents(.state) == expected.filter { $0.key != [0] })
        expect(try revived.value(of: [200], in: .metadata) == [9])
        expect(try revived.verify().isEmpty)
        try revived.close()
        let names = try FileSystem.contents(of: path)
        expect(!names.contains { $0.hasSuffix(".probe") || $0.hasSuffix(".new") })
    }

    @Test("A full disk can be read, also after a kill", arguments: TestedEngine.withDirectory)
    func openingOnFullDisk(tested: TestedEngine) throws {
        let disk = try SmallDisk(kibibytes: 16 << 10)
        let path = "\(disk.path)/store"
        let original = TemporaryFolder(inMemory: true)
        let store = try tested.engine.open(original.path)
        var expected: [[UInt8]: [UInt8]] = [:]
        var random = SeededGenerator(seed: 6)
        for number in UInt8(0)..<20 {
            let value = random.bytes(90_000)
            // Synced, the engine might have prepared space for the next saves.
            try store.put(value, [number], in: .state, durably: false)
            expected[[number]] = value
        }
        try FileSystem.copy(original.path, to: path)
        try store.close()
        try disk.fill()

        let full = try tested.engine.open(path)
        expect(full.openingNotes.count, is: (tested.engine.name == "leveldb" ? 1 : 0))
        expect(try full.contents(.state) == expected)
        let error = expect(throws: StorageError.self) { try full.put([1], [1]) }
        expect(error?.code, is: .outOfSpace)
        expect(error?.effect, is: .notApplied)
        expect(try full.contents(.metadata).isEmpty)
        try disk.release()
        try full.put([1], [1])
        expect(try full.contents(.metadata) == [[1]: [1]])
        expect(try full.contents(.state) == expected)
        try full.close()
        let revived = try tested.engine.open(path)
        expect(try revived.contents(.metadata) == [[1]: [1]])
        expect(try revived.contents(.state) == expected)
        try revived.close()
    }
}
