import BrowserSessions

/// A browser operation to measure.
struct Workload: Sendable {
    let name: String
    /// A sentence that helps people choose.
    let summary: String
    /// The floor that is measured in turns with it; `nil` if there is none.
    let floor: FloorKind?
    /// Whether it saves, with a selectable durability.
    let isSaving: Bool
    /// Whether there is a row for each size of state.
    let takesState: Bool
    /// The runs that measure it without being asked for it.
    var use = Use.always
    /// The maximum number of operations in a round, without a warm-up; `nil` uses the plan's number.
    var mostPerRound: Int?
    /// Whether preparing an operation uses only memory, so that operations can start on a schedule.
    var fitsSchedule = false
    /// Whether a process does it once, at its beginning. It and its floor are then measured after
    /// all free memory is returned to the system. Otherwise, the second in a turn would find memory
    /// that the first had to request.
    var happensAtLaunch = false
    /// Whether the 99th percentiles of it and its floor are compared, too.
    var comparesTails = false
    /// The course of a long operation, which runs once, on its own store, and only on backends.
    var endurance: Endurance?
    /// Creates the run, with everything that the job needs beyond the scene.
    let start: @Sendable (Scene, Job) async throws(StorageError) -> any WorkloadRun

    enum Use: Sendable {
        case always
        /// In all runs except quick ones.
        case unlessQuick
        /// Only on request, because it takes long.
        case onRequest
    }

    init(
        _ name: String, floor: FloorKind?, isSaving: Bool = true, takesState: Bool = false,
        use: Use = .always, mostPerRound: Int? = nil, fitsSchedule: Bool = false,
        happensAtLaunch: Bool = false, comparesTails: Bool = false, summary: String,
        start: @escaping @Sendable (Scene, Job) async throws(StorageError) -> any WorkloadRun
    ) {
        self.name = name
        self.summary = summary
        self.use = use
        self.mostPerRound = mostPerRound
        self.fitsSchedule = fitsSchedule
        self.happensAtLaunch = happensAtLaunch
        self.comparesTails = comparesTails
        self.floor = floor
        self.isSaving = isSaving
        self.takesState = takesState
        self.start = start
    }

    /// Creates a long workload, with the use `.onRequest`.
    init(
        _ name: String, floor: FloorKind?, endurance: Endurance, summary: String,
        start: @escaping @Sendable (Scene, Job) async throws(StorageError) -> any WorkloadRun
    ) {
        self.init(name, floor: floor, use: .onRequest, summary: summary, start: start)
        self.endurance = endurance
    }

    /// The workloads that are measured if none is chosen.
    static var usual: [Workload] { all.filter { $0.use != .onRequest } }

    static let all: [Workload] =
        saving + groups + forests + lists + [
            .restore, .restoreTogether, .restoreOneByOne, .summaries, .realizeOneTab, .openExisting,
            .openCold, .openAfterKill, .find, .deleteIncognito,
            .closeAllAndUndo, .profileRestore, .profileRestoreForest, .profileForestByList,
            .profileSave, .profileSaveNew, .profileMoveGroup, .openWithPoints, .saveWithPoints,
            .openReader,
            .backUp, .saveBesideReaders, .longRun, .rewriteState, .rewriteWithoutRest,
        ]

    static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}

/// A run of a workload on one scene, which repeats ``prepare()``, ``operate()``, and ``check()``.
protocol WorkloadRun: AnyObject {
    /// Prepares the next operation; not timed. Returns the number of logical bytes that it writes.
    func prepare() async throws(StorageError) -> Int

    /// Performs the operation; timed.
    func operate() async throws(StorageError)

    /// Performs the operation of the floors ``FloorKind/store``, ``FloorKind/list``,
    /// ``FloorKind/copy`` and ``FloorKind/without``; timed before or after ``operate()``.
    func operateFloor() async throws(StorageError)

    /// Returns what was wrong with the answer; `nil` if nothing was. Not timed.
    func check() async throws(StorageError) -> String?

    /// Whether the page cache was dropped before every operation so far; `nil` if the workload does
    /// not need that.
    var isCold: Bool? { get }

    /// What else the run found out, for readers; `nil` if nothing.
    var remark: String? { get }

    /// Leaves only the windows in the scene, and keeps ``Scene`` correct.
    func finish() async throws(StorageError)
}

extension WorkloadRun {
    func operateFloor() async throws(StorageError) {}
    func check() async throws(StorageError) -> String? { nil }
    func finish() async throws(StorageError) {}
    var isCold: Bool? { nil }
    var remark: String? { nil }
}

extension Workload.Use {
    /// The words that help people choose; `nil` if none are needed.
    var words: String? {
        switch self {
        case .always: nil
        case .unlessQuick: "not with --quick"
        case .onRequest: "only if named with --workloads"
        }
    }
}
