public import BrowserSessions

/// One row: a workload on one backend at one size and durability.
public struct BenchResult: Codable, Hashable, Sendable {
    /// The name of the backend, reference design or floor.
    public var backend: String
    /// The name of the workload, such as `save-one-tab`.
    public var workload: String
    /// How many tabs the window had.
    public var tabs: Int
    /// Bytes of state that each operation saved or read; 0 for metadata alone.
    public var stateBytes: Int
    /// What each save was asked to survive. Rows of different durability are never ranked together.
    public var durability: Durability
    public var samples: Int
    /// Times of one operation.
    public var microseconds: Percentiles
    /// Between what the median lies with 95 % confidence, in microseconds: lower and upper end.
    public var interval95: [Double]
    /// The median of the floor that was measured in turn with the operation; 0 if it has none.
    public var floorMicroseconds: Double
    /// The median of the pairs' ratios; 0 without a floor.
    public var floorRatio: Double
    /// Bytes that one operation hands to the system, median; counted apart from the times.
    public var bytesWritten: Int
    /// Syncs of one operation, mean; counted apart from the times.
    public var syncs: Double
    /// The most memory that the measuring process had.
    public var peakRSSBytes: Int
    /// Whether every answer was the right one. The figures of a row with a wrong answer mean nothing.
    public var verified: Bool

    // Beyond the first form of schema 1.

    /// What kind of contestant this is; `nil` in old files means ``Role/backend``.
    public var role: Role?
    /// Which floor: `A`, `O`, `D` or `R`.
    public var floor: String?
    /// Between what the ratio lies with 95 % confidence.
    public var ratioInterval95: [Double]?
    /// For saves that reach the medium, the median of floor O: overwriting blocks that were written
    /// before, and one sync. It was measured in turn with the operation and floor A.
    public var overwriteMicroseconds: Double?
    /// The median of the pairs' ratios to floor O.
    public var overwriteRatio: Double?
    /// Bytes of all files of the store afterwards.
    public var diskBytes: Int?
    /// The distribution: upper ends in microseconds and how many samples lie at or below each and
    /// above the one before.
    public var distribution: [Bucket]?
    /// Whether the files were in the system's memory, where that is what a workload is about. Rows
    /// of different caches are never ranked together.
    public var cache: Cache?
    /// When operations started; `nil` in old files means ``Loop/closed``.
    public var loop: Loop?
    /// How many operations an open loop started in a second.
    public var rate: Double?
    /// What a long operation left behind.
    public var endurance: Endurance?
    /// What was wrong if the row is not verified, or what else a reader has to know.
    public var note: String?

    public struct Percentiles: Codable, Hashable, Sendable {
        public var p50: Double
        public var p90: Double
        public var p99: Double
        public var max: Double

        public init(p50: Double, p90: Double, p99: Double, max: Double) {
            self.p50 = p50
            self.p90 = p90
            self.p99 = p99
            self.max = max
        }
    }

    public struct Bucket: Codable, Hashable, Sendable {
        public var upTo: Double
        public var count: Int

        public init(upTo: Double, count: Int) {
            self.upTo = upTo
            self.count = count
        }
    }

    public enum Cache: String, Codable, Hashable, Sendable {
        /// The page cache was dropped before each operation.
        case cold
        /// It should have been dropped, but that was not permitted.
        case warm
    }

    public enum Loop: String, Codable, Hashable, Sendable {
        /// Each operation started when the one before had ended.
        case closed
        /// Operations were started on a schedule and measured from when they should have started.
        case open
    }

    public enum Role: String, Codable, Hashable, Sendable {
        /// A backend of session storage.
        case backend
        /// What other browsers do, built for comparison only.
        case reference
        /// Does nothing: what measuring itself costs.
        case dry
    }

    public init(
        backend: String, workload: String, tabs: Int, stateBytes: Int, durability: Durability,
        samples: Int, microseconds: Percentiles, interval95: [Double],
        floorMicroseconds: Double = 0, floorRatio: Double = 0, bytesWritten: Int = 0,
        syncs: Double = 0, peakRSSBytes: Int = 0, verified: Bool
    ) {
        self.backend = backend
        self.workload = workload
        self.tabs = tabs
        self.stateBytes = stateBytes
        self.durability = durability
        self.samples = samples
        self.microseconds = microseconds
        self.interval95 = interval95
        self.floorMicroseconds = floorMicroseconds
        self.floorRatio = floorRatio
        self.bytesWritten = bytesWritten
        self.syncs = syncs
        self.peakRSSBytes = peakRSSBytes
        self.verified = verified
    }
}
