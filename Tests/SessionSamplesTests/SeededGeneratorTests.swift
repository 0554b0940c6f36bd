import Expectations
import SessionSamples

struct SeededGeneratorTests {
    /// The published first numbers of SplitMix64 for the seed 1234567.
    @Test func theNumbersAreThoseOfSplitMix64() {
        var generator = SeededGenerator(seed: 1_234_567)
        expect(generator.next(), is: 6_457_827_717_110_365_317)
        expect(generator.next(), is: 3_203_168_211_198_807_973)
        expect(generator.next(), is: 9_817_491_932_198_370_423)
    }

    @Test func integersFillTheirRange() {
        var generator = SeededGenerator(seed: 2)
        var counts = [Int](repeating: 0, count: 7)
        for _ in 0..<7000 { counts[generator.integer(in: -3...3) + 3] += 1 }
        expect(counts.allSatisfy { (800...1200).contains($0) })
        expect(generator.integer(in: 5...5), is: 5)
        let large = 0...(1 << 32) - 1
        expect(large.contains(generator.integer(in: large)))
        expect((0..<1000).filter { _ in generator.chance(1, in: 4) }.count / 50, is: 5)
    }

    @Test func quantilesAreMet() {
        let quantiles = Quantiles(from: 10, points: [(500, 20), (900, 100), (1000, 1000)])
        var generator = SeededGenerator(seed: 3)
        let values = (0..<10_001).map { _ in generator.value(of: quantiles) }.sorted()
        expect(values[0] >= 10 && values[10_000] <= 1000)
        expect((19...21).contains(values[5000]))
        expect((95...106).contains(values[9000]))
    }
}
