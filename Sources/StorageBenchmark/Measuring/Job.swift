import BrowserSessions

/// The content of one row, without the contestant.
struct Job: Codable, Hashable, Sendable {
    /// The name of a ``Workload``.
    var workload: String
    var tabs: Int
    /// The bytes of state in each operation; 0 for metadata alone.
    var stateBytes: Int
    var durability: Durability
}

/// The work of a child process: several jobs of one contestant at one size.
struct JobOrder: Codable, Hashable, Sendable {
    var contestant: ContestantName
    var jobs: [Job]
    var tabs: Int
    /// The maximum number of pairs of each job.
    var samples: Int
    /// The number of saves of a long operation; `nil` uses its own number.
    var longSamples: Int?
    /// The maximum time of a job in milliseconds. A job always makes a few pairs.
    var milliseconds: Int
    var seed: UInt64
    /// An existing empty folder, which the parent removes.
    var folder: String
    /// Whether to count bytes and syncs instead of measuring times.
    var isCounting = false

    /// The number of pairs that a job makes, however long they take.
    static let leastSamples = 3
    /// The command that takes an order.
    static let commandName = "child"

    /// Returns the folder of the next store after a failed job.
    func folder(after place: Int) -> String { "\(folder)/after-\(place)" }
}

/// The result of a job in one child.
struct JobAnswer: Codable, Hashable, Sendable {
    var job: Job
    /// Times in nanoseconds. `floor` and `overwrite` are as long as `operation`, or empty.
    var operation: [Int] = []
    var floor: [Int] = []
    var overwrite: [Int] = []
    /// The bytes that each counted operation passed to the system.
    var bytes: [Int] = []
    /// What was wrong with an answer; `nil` if nothing was.
    var wrong: String?
    /// Why the contestant cannot do this at all; `nil` if it can.
    var unsupported: String?
    /// Why the job could not be finished, and the code of the error; `nil` if it was finished.
    var failure: String?
    var failureCode: String?
    /// Other information for readers.
    var remark: String?
    /// Whether the page cache was dropped before every operation; `nil` if the workload does not need that.
    var isCold: Bool?

    /// Whether the store can be used for the next job.
    var isSound: Bool { wrong == nil && failure == nil }
}

/// Everything that a child reported.
struct ChildOutcome: Sendable {
    var answers: [JobAnswer] = []
    /// The syncs of one operation by the index of its job in the order; `nil` if they were not counted.
    var syncs: [Int: Double]?
    /// How the process ended if it failed; otherwise, `nil`.
    var problem: String?
}
