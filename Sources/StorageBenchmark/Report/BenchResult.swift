public import BrowserSessions

/// A row: a workload on one backend at one size and durability.
public struct BenchResult: Codable, Hashable, Sendable {
    /// The name of the backend or other contestant.
    public var backend: String
    /// The name of the workload, such as `save-one-tab`.
    public var workload: String
    /// The number of tabs in the window.
    public var tabs: Int
    /// The bytes of state that each operation saved or read; 0 for metadata alone.
    public var stateBytes: Int
    /// What each save must survive. Rows of different durabilities are never ranked together.
    public var durability: Durability
    /// The number of measured operations in all rounds; 0 if none could be measured.
    public var samples: Int
    /// The times of one operation, in microseconds; all 0 if there are no samples.
    public var microseconds: Percentiles
    /// The lower and upper end of the median's 95 % confidence interval, in microseconds; both 0 if
    /// there are no samples.
    public var interval95: [Double]
    /// The median of the floor, measured in turns with the operation; 0 without a floor.
    public var floorMicroseconds: Double
    /// The median of the pairs' ratios; 0 without a floor.
    public var floorRatio: Double
    /// The median of the bytes that one operation passes to the system, counted apart from the times.
    public var bytesWritten: Int
    /// The mean number of syncs of one operation, counted apart from the times.
    public var syncs: Double
    /// The peak memory use of the measuring process.
    public var peakRSSBytes: Int
    /// Whether every answer was right. If it is not, the figures of the row mean nothing.
    public var verified: Bool

    // Additions to the original form of schema 1.

    /// The kind of contestant; `nil` in old files means ``Role/backend``.
    public var role: Role?
    /// The kind of floor: `A`, `D`, `R`, or `S`; `nil` without a floor.
    public var floor: String?
    /// The lower and upper end of the ratio's 95 % confidence interval; `nil` without a floor.
    public var ratioInterval95: [Double]?
    /// The median of floor O, for saves that reach the medium: overwriting existing blocks, with
    /// one sync. It was measured in turns with the operation and floor A.
    public var overwriteMicroseconds: Double?
    /// The median of the pairs' ratios to floor O.
    public var overwriteRatio: Double?
    /// The bytes of all files of the store at the end.
    public var diskBytes: Int?
    /// The distribution. Each bucket has an upper end in microseconds and the number of samples at
    /// or below it and above the previous one.
    public var distribution: [Bucket]?
    /// Whether the files were in the system's memory, for workloads that depend on it. Rows with
    /// different caches are never ranked together.
    public var cache: Cache?
    /// When operations started; `nil` in old files means ``Loop/closed``.
    public var loop: Loop?
    /// The number of operations that an open loop started per second.
    public var rate: Double?
    /// What a long operation left behind.
    public var endurance: Endurance?
    /// What was wrong if the row is not verified; otherwise, other information for readers.
    public var note: String?

    /// Percentiles of times in microseconds, with three significant digits.
    public struct Percentiles: Codable, Hashable, Sendable {
        /// The time that half of the operations do not exceed.
        public var p50: Double
        /// The time that 90 % of the operations do not exceed.
        public var p90: Double
        /// The time that 99 % of the operations do not exceed.
        public var p99: Double
        /// The longest time.
        public var max: Double

        /// Creates percentiles from times in microseconds.
        public init(p50: Double, p90: Double, p99: Double, max: Double) {
            self.p50 = p50
            self.p90 = p90
            self.p99 = p99
            self.max = max
        }
    }

    /// A part of a distribution: a quarter of a doubling of the time. Empty ones are left out.
    public struct Bucket: Codable, Hashable, Sendable {
        /// The upper end in microseconds, which belongs to the bucket.
        public var upTo: Double
        /// The number of samples.
        public var count: Int

        /// Creates a bucket with its upper end in microseconds.
        public init(upTo: Double, count: Int) {
            self.upTo = upTo
            self.count = count
        }
    }

    /// The state of the system's page cache in a workload that depends on it.
    public enum Cache: String, Codable, Hashable, Sendable {
        /// The page cache was dropped before each operation.
        case cold
        /// The page cache should have been dropped, but that was not permitted.
        case warm
    }

    /// The rule by which operations started.
    public enum Loop: String, Codable, Hashable, Sendable {
        /// Each operation started when the previous one had ended.
        case closed
        /// Operations started on a schedule and were measured from their scheduled start.
        case open
    }

    /// The kind of contestant. Only backends are ranked.
    public enum Role: String, Codable, Hashable, Sendable {
        /// A backend of session storage.
        case backend
        /// A design of other browsers, built for comparison only.
        case reference
        /// A store that does nothing, which shows the cost of measuring itself.
        case dry
    }

    /// Creates a row with the original keys of schema 1. By default, it has no floor and no counts.
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
