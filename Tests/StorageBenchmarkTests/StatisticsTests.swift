import Expectations
import SessionSamples

@testable import StorageBenchmark

@Suite("Statistics of a row")
struct StatisticsTests {
    @Test func percentilesOfKnownTimes() {
        let times = (1...1000).map { $0 * 1000 }
        let found = Distribution(nanoseconds: times.reversed()).percentiles
        expect(abs(found.p50 - 500) <= 0.5)
        expect(abs(found.p90 - 900) <= 0.9)
        expect(abs(found.p99 - 990) <= 1)
        expect(abs(found.max - 1000) <= 1)
    }

    @Test func withoutTimesEverythingIsZero() {
        let empty = Distribution(nanoseconds: [])
        expect(empty.percentiles, is: .init(p50: 0, p90: 0, p99: 0, max: 0))
        expect(empty.buckets.isEmpty)
    }

    @Test func bucketsHoldEveryTimeOnce() {
        let times = (1...500).map { $0 * $0 * 37 }
        let buckets = Distribution(nanoseconds: times).buckets
        expect(buckets.reduce(0) { $0 + $1.count }, is: 500)
        expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.upTo < $1.upTo })
        // Four for each doubling, so that nothing lies far below the end of its bucket.
        let middle = buckets.first { $0.upTo > 37 }
        let expected = times.count { Double($0) / 1000 <= middle?.upTo ?? 0 }
        let counted = buckets.filter { $0.upTo <= middle?.upTo ?? 0 }.reduce(0) { $0 + $1.count }
        expect(abs(expected - counted) <= 1)
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
        try #require(interval.count == 2)
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
        try #require(apart.count == 2 && pooled.count == 2)
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
