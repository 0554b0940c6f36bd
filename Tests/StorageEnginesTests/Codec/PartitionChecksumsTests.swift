import Expectations
import SessionSamples
import TestSupport

@testable import BrowserSessions
@testable import StorageEngines

struct PartitionChecksumsTests {
    @Test("One changed byte is found wherever it is", arguments: [1, 2, 100, 4096])
    func changedByte(count: Int) {
        var generator = SeededGenerator(seed: 5)
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let noted = CRC32C.checksum(bytes)
        for place in stride(from: 0, to: count, by: max(1, count / 50)) {
            for bits in [1, 0x10, 0x80, 0xA5, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] ^= bits
                let found = CRC32C.changedByte(
                    among: count, from: noted, to: CRC32C.checksum(changed))
                expect(found?.place == place && found?.bits == bits)
            }
        }
    }

    @Test("Two changed bytes are not explained by one")
    func twoBytes() {
        let bytes = [UInt8](repeating: 3, count: 4096)
        for place in stride(from: 0, to: 4000, by: 61) {
            var changed = bytes
            changed[place] ^= 1
            changed[place + 90] ^= 1
            let sum = CRC32C.checksum(changed)
            expect(CRC32C.changedByte(among: 4096, from: CRC32C.checksum(bytes), to: sum) == nil)
        }
    }

    @Test func checksumsAreReadAsTheyWereWritten() throws {
        let folder = TemporaryFolder()
        try FileSystem.makeDirectory("\(folder.path)/inner")
        try FileSystem.replace("\(folder.path)/empty", with: [])
        try FileSystem.replace("\(folder.path)/exact", with: [UInt8](repeating: 1, count: 8192))
        try FileSystem.replace("\(folder.path)/inner/odd", with: [UInt8](repeating: 2, count: 4097))
        let made = try PartitionChecksums(of: folder.directory)
        expect(made.files.map(\.path), is: ["empty", "exact", "inner/odd"])
        expect(made.files.map(\.length), is: [0, 8192, 4097])
        expect(made.files.map(\.checksums.count), is: [0, 8, 8])
        expect(PartitionChecksums(encoded: made.encoded), is: made)
        expect(try made.damage(of: folder.directory) == nil)
        for count in 1..<made.encoded.count {
            let cut = PartitionChecksums(encoded: [UInt8](made.encoded.prefix(count)))
            expect(cut != made)
        }
        try FileSystem.remove("\(folder.path)/inner/odd")
        expect(try made.damage(of: folder.directory) == "'inner/odd' is gone")
    }

    @Test func aCopyHasNoDamageInDirectoriesEither() throws {
        let parent = TemporaryFolder()
        try FileSystem.makeDirectory("\(parent.path)/partition")
        try FileSystem.makeDirectory("\(parent.path)/partition/inner")
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        try FileSystem.replace("\(parent.path)/partition/inner/file", with: bytes)
        let made = try PartitionChecksums(of: parent.directory.directory("partition"))
        var damaged = bytes
        damaged[17] ^= 4
        for place in 4096..<8192 { damaged[place] = 255 }
        try FileSystem.replace("\(parent.path)/partition/inner/file", with: damaged)
        try FileSystem.replace("\(parent.path)/partition/stray", with: [1])
        let notes = try made.copy("partition", to: "copy", in: parent.directory)
        expect(
            notes,
            is: [
                "of 3 blocks of 'inner/file' 1 were put right, 1 are lost",
                "'stray' was left out: it was not there when it was closed",
            ])
        var expected = bytes
        for place in 4096..<8192 { expected[place] = 0 }
        expect(try FileSystem.read("\(parent.path)/copy/inner/file") == expected)
        expect(try !FileSystem.exists("\(parent.path)/copy/stray"))
    }

    @Test("A mark is read as it was written, with and without checksums")
    func mark() {
        let plain = CloseMarkerText(.regular, "42")
        let other = CloseMarkerText(.regular, "42", checksums: 7)
        for mark in [plain, other] {
            expect(CloseMarkerText(.regular, bytes: mark.bytes), is: mark)
            expect(CloseMarkerText(.incognito, bytes: mark.bytes) == nil)
        }
        expect(plain.bytes != other.bytes)
        expect(CloseMarkerText(.regular, bytes: Array(other.bytes.dropLast())) == nil)
    }
}
