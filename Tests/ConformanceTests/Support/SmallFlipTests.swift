import Expectations
import SessionSamples

@testable import StorageConformance

@Suite("Flipped bits of small structures")
struct SmallFlipTests {
    @Test(
        "all bits of a small file, and those at the ends of a large one",
        arguments: [(0, 0), (16, 16), (200, 200), (5000, 200)])
    func all(size: Int, bytes: Int) {
        var generator = SeededGenerator(seed: 1)
        let sound = [UInt8](repeating: 7, count: size)
        let versions = FileDamage.smallFlips(of: sound, most: .max, &generator)
        let places = versions.compactMap { version in
            sound.indices.first { version.bytes?[$0] != 7 }
        }
        expect(Set(versions.map(\.what)).count, is: 8 * bytes)
        expect(Set(places).count, is: bytes)
        expect(places.allSatisfy { $0 < 100 || $0 >= size - 100 })
        expect(FileDamage.smallFlips(of: sound, most: 3, &generator).count, is: min(3, 8 * bytes))
    }
}
