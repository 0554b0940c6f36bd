import Expectations
import SessionSamples

@testable import StorageBenchmark

@Suite("Statistics of a row")
struct StatisticsTests {
    @Test func percentilesAreRanks() {
        let times = (1...1000).map { $0 * 1000 }
        expect(
            BenchResult.Percentiles(nanoseconds: times.reversed()),
            is: .init(p50: 500, p90: 900, p99: 990, max: 1000))
        expect(
            BenchResult.Percentiles(nanoseconds: [3000]), is: .init(p50: 3, p90: 3, p99: 3, max: 3))
        expect(BenchResult.Percentiles(nanoseconds: []), is: .init())
    }

    @Test func mediansOfEvenAndOddNumbers() {
        expect(Median.of([3, 1, 2]), is: 2)
        expect(Median.of([4, 1, 2, 3]), is: 2.5)
        expect(Median.of([]), is: 0)
    }

    @Test func anIntervalHoldsTheMedianAndIsTheSameForASeed() throws {
        var generator = SeededGenerator(seed: 4)
        let samples = (0..<400).map { _ in Double(generator.integer(in: 0...10_000)) }
        var first = Bootstrap(seed: 9)
        var second = Bootstrap(seed: 9)
        let interval = first.interval95([samples])
        expect(interval, is: second.interval95([samples]))
        try require(interval.count == 2)
        expect(interval[0] < 5000 && 5000 < interval[1])
        // The median of n even numbers of that width has a standard error of width / (2 √n) = 250.
        expect((400...1600).contains(interval[1] - interval[0]))
        expect(first.interval95([]).isEmpty)
    }

    @Test func roundsThatDisagreeMakeItWide() throws {
        var generator = SeededGenerator(seed: 4)
        let rounds = [100, 200, 300].map { base in
            (0..<50).map { _ in Double(base + generator.integer(in: 0...9)) }
        }
        var bootstrap = Bootstrap(seed: 1)
        let apart = bootstrap.interval95(rounds)
        let pooled = bootstrap.interval95([rounds.flatMap { $0 }])
        try require(apart.count == 2 && pooled.count == 2)
        expect(apart[0] < 110 && apart[1] >= 300)
        expect(apart[1] - apart[0] >= pooled[1] - pooled[0])
    }

    @Test func syncsOfEachJobAreCountedBetweenItsMarks() {
        let log = """
            10 fdatasync(5) = 0
            10 fsync(-100000) = -1 EBADF (Bad file descriptor)
            10 fdatasync(5 <unfinished ...>
            11 fsync(7) = 0
            10 <... fdatasync resumed>) = 0
            10 fsync(-100001) = -1 EBADF (Bad file descriptor)
            10 fdatasync(5) = 0
            10 fsync(-100000) = -1 EBADF (Bad file descriptor)
            10 fsync(-100001) = -1 EBADF (Bad file descriptor)
            10 fsync(-100006) = -1 EBADF (Bad file descriptor)
            10 msync(0x7f00, 4096, MS_SYNC) = 0
            10 sync_file_range(5, 0, 0, SYNC_FILE_RANGE_WRITE) = 0
            10 sync_file_range(5, 0, 0, SYNC_FILE_RANGE_WRITE|SYNC_FILE_RANGE_WAIT_AFTER) = 0
            10 fsync(-100007) = -1 EBADF (Bad file descriptor)
            """
        expect(SyncTrace.counts(in: log), is: [0: 1, 3: 2])
    }
}
