import BrowserSessions

/// What one row measures, but for whom.
struct Job: Codable, Hashable, Sendable {
    /// The name of a ``Workload``.
    var workload: String
    var tabs: Int
    /// Bytes of state of each operation; 0 for metadata alone.
    var stateBytes: Int
    var durability: Durability
}

/// What a child process is to do: several jobs of one contestant at one size.
struct ChildOrder: Codable, Hashable, Sendable {
    var contestant: ContestantName
    var jobs: [Job]
    var tabs: Int
    /// Pairs of each job, at most.
    var samples: Int
    /// How long a job may take, in milliseconds. A job makes a few pairs in any case.
    var milliseconds: Int
    var seed: UInt64
    /// A folder that is there and empty; the parent removes it.
    var folder: String
    /// Count bytes and syncs instead of measuring times.
    var isCounting = false
    /// Operations that are started in a second; `nil` starts each when the one before has ended.
    var rate: Double?

    /// The command that takes an order.
    static let commandName = "child"
}

/// What became of a job in one child.
struct JobAnswer: Codable, Hashable, Sendable {
    var job: Job
    /// Times in nanoseconds; the three lists are of equal length where there is a floor.
    var operation: [Int] = []
    var floor: [Int] = []
    var overwrite: [Int] = []
    /// Bytes handed to the system by each counted operation.
    var bytes: [Int] = []
    /// What was not as it should be.
    var wrong: String?
    /// Why the contestant cannot do this at all.
    var unsupported: String?
    /// Why the job could not be finished, and the code of the error.
    var failure: String?
    var failureCode: String?
    /// What else a reader has to know.
    var remark: String?
    /// Whether the page cache was dropped before every operation, where the workload wants that.
    var isCold: Bool?
    /// What a long operation left behind.
    var endurance: EnduranceFigures?
    var peakRSSBytes = 0
    var diskBytes = 0

    init(_ job: Job) { self.job = job }

    /// Whether the store is fit for the next job.
    var isSound: Bool { wrong == nil && failure == nil }
}

/// All that a child told.
struct ChildOutcome: Sendable {
    var answers: [JobAnswer] = []
    /// Syncs of one operation by the place of the job in the order, if they were counted.
    var syncs: [Int: Double]?
    /// How the process ended, if not well.
    var problem: String?
}
