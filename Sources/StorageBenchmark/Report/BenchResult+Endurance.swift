extension BenchResult {
    /// The cost of many saves on one store, and what they leave behind.
    public struct Endurance: Codable, Hashable, Sendable {
        /// The number of saves, including those that reached the medium.
        public var saves: Int
        /// The p99 of saves that did not have to reach the medium, divided by their p50.
        public var tailRatio: Double
        /// The times of saves that had to reach the medium; all 0 if there were none.
        public var durableMicroseconds: Percentiles
        /// The times of first saves after a rest, which are also among the row's times. They meet
        /// maintenance, and a processor that has done other work. All 0 if there were none.
        public var afterRestMicroseconds: Percentiles
        /// The bytes of all files of the store when it was closed.
        public var diskBytes: Int
        /// The most bytes seen during the run.
        public var mostDiskBytes: Int
        /// The bytes of a fresh store with the same content.
        public var freshDiskBytes: Int
        /// The time to open the store, divided by that of the fresh store: the median of the pairs.
        public var openRatio: Double
        /// The time to restore, divided by that of the fresh store: the median of the pairs.
        public var restoreRatio: Double

        /// Creates the figures of a long operation.
        public init(
            saves: Int, tailRatio: Double, durableMicroseconds: Percentiles,
            afterRestMicroseconds: Percentiles, diskBytes: Int, mostDiskBytes: Int,
            freshDiskBytes: Int, openRatio: Double, restoreRatio: Double
        ) {
            self.saves = saves
            self.tailRatio = tailRatio
            self.durableMicroseconds = durableMicroseconds
            self.afterRestMicroseconds = afterRestMicroseconds
            self.diskBytes = diskBytes
            self.mostDiskBytes = mostDiskBytes
            self.freshDiskBytes = freshDiskBytes
            self.openRatio = openRatio
            self.restoreRatio = restoreRatio
        }

        init(_ figures: EnduranceFigures, saves: Int, _ times: Percentiles) {
            self.init(
                saves: saves + figures.durable.count, tailRatio: times.p99 / max(times.p50, 0.001),
                durableMicroseconds: Distribution(nanoseconds: figures.durable).percentiles,
                afterRestMicroseconds: Distribution(nanoseconds: figures.afterRest).percentiles,
                diskBytes: figures.diskBytes, mostDiskBytes: figures.mostDiskBytes,
                freshDiskBytes: figures.freshDiskBytes, openRatio: Median.of(figures.openRatios),
                restoreRatio: Median.of(figures.restoreRatios))
        }

        /// Two sentences for people.
        var words: String {
            let fresh = Double(max(freshDiskBytes, 1))
            let (disk, most) = (Double(diskBytes) / fresh, Double(mostDiskBytes) / fresh)
            let durable = durableMicroseconds
            let special = [
                ("those first after a rest", afterRestMicroseconds),
                ("those that reach the medium", durable),
            ].filter { $0.1.p50 > 0 }.map { name, times in
                "\(name): p50 \(Figures.time(times.p50)), p99 \(Figures.time(times.p99))"
            }
            let synced = special.isEmpty ? "" : " (\(special.joined(separator: "; ")))"
            return "\(Figures.whole(saves)) saves, p99 \(Figures.digits(tailRatio)) times p50"
                + "\(synced). Then the store has \(Figures.bytes(diskBytes)), "
                + "\(Figures.digits(disk)) times a fresh one with the same content, on the way at "
                + "most \(Figures.bytes(mostDiskBytes)), \(Figures.digits(most)) times; it opens in \(Figures.digits(openRatio)) "
                + "and restores in \(Figures.digits(restoreRatio)) times the time of the fresh one."
        }
    }
}
