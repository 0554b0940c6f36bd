import BrowserSessions

/// An operation of a browser that is measured.
struct Workload: Sendable {
    let name: String
    /// One sentence for people who choose.
    let summary: String
    /// The floor that is measured in turn with it, if there is one.
    let floor: FloorKind?
    /// Whether it saves with a durability that can be chosen.
    let isSaving: Bool
    /// Whether there is a row for each size of state.
    let takesState: Bool
    /// When it is measured without being named.
    var use = Use.always
    /// How many operations a round has at most, without any to warm up; `nil`: as the plan says.
    var mostPerRound: Int?
    /// Whether nothing but memory is used to make an operation ready, so that operations can be
    /// started on a schedule.
    var fitsSchedule = false
    /// Whether a process does it once, when it begins: it is measured, like its floor, with all memory
    /// given back to the system that is free. Otherwise whoever comes second in a turn would find the
    /// memory that the first one had to ask for.
    var happensAtLaunch = false
    /// How it goes if it is a long one: then it is done once, on a store of its own, by backends
    /// only.
    var endurance: Endurance?
    /// Makes what the job needs beyond the scene.
    let start: @Sendable (Scene, Job) async throws(StorageError) -> any WorkloadRun

    enum Use: Sendable {
        case always
        /// Not in a quick run.
        case unlessQuick
        /// Never: it takes long.
        case onRequest
    }

    init(
        _ name: String, floor: FloorKind?, isSaving: Bool = true, takesState: Bool = false,
        use: Use = .always, mostPerRound: Int? = nil, fitsSchedule: Bool = false,
        happensAtLaunch: Bool = false, summary: String,
        start: @escaping @Sendable (Scene, Job) async throws(StorageError) -> any WorkloadRun
    ) {
        self.name = name
        self.summary = summary
        self.use = use
        self.mostPerRound = mostPerRound
        self.fitsSchedule = fitsSchedule
        self.happensAtLaunch = happensAtLaunch
        self.floor = floor
        self.isSaving = isSaving
        self.takesState = takesState
        self.start = start
    }

    /// The long ones, which are `.onRequest`.
    init(
        _ name: String, floor: FloorKind?, endurance: Endurance, summary: String,
        start: @escaping @Sendable (Scene, Job) async throws(StorageError) -> any WorkloadRun
    ) {
        self.init(name, floor: floor, use: .onRequest, summary: summary, start: start)
        self.endurance = endurance
    }

    /// What is measured unless somebody chooses.
    static var usual: [Workload] { all.filter { $0.use != .onRequest } }

    static let all: [Workload] =
        saving + [
            .restore, .restoreTogether, .restoreOneByOne, .summaries, .realizeOneTab, .openExisting,
            .openCold, .openAfterKill, .deleteIncognito,
            .closeAllAndUndo, .profileRestore, .profileSave, .profileSaveNew, .longRun,
            .rewriteState, .rewriteWithoutRest,
        ]

    static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}

/// A workload at work on one scene: again and again ``prepare()``, ``operate()``, ``check()``.
protocol WorkloadRun: AnyObject {
    /// Makes the next operation ready; not timed. How many logical bytes it writes.
    func prepare() async throws(StorageError) -> Int

    /// What is timed.
    func operate() async throws(StorageError)

    /// What is timed as the floor ``FloorKind/store``, before or after ``operate()``.
    func operateOnStore() async throws(StorageError)

    /// What was wrong with the answer, if anything; not timed.
    func check() async throws(StorageError) -> String?

    /// Whether the page cache was dropped before every operation so far; `nil` where the workload
    /// does not want that.
    var isCold: Bool? { get }

    /// Leaves the scene with nothing but its windows, and keeps ``Scene`` true.
    func finish() async throws(StorageError)
}

extension WorkloadRun {
    func operateOnStore() async throws(StorageError) {}
    func check() async throws(StorageError) -> String? { nil }
    func finish() async throws(StorageError) {}
    var isCold: Bool? { nil }
}

extension Workload.Use {
    /// For those who choose; `nil` where nothing has to be said.
    var words: String? {
        switch self {
        case .always: nil
        case .unlessQuick: "not with --quick"
        case .onRequest: "only if named with --workloads"
        }
    }
}
