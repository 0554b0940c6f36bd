import BrowserSessions

/// A browser operation to measure.
struct Workload: Sendable {
    var name: String
    /// The floor that is measured in turns with it; `nil` if there is none.
    var floor: FloorKind?
    /// Whether it saves, with a selectable durability.
    var isSaving = true
    /// Whether there is a row for each size of state.
    var takesState = false
    /// The runs that measure it without being asked for it.
    var use = Use.always
    /// The maximum number of operations in a round, without a warm-up; `nil` uses the plan's number.
    var mostPerRound: Int?
    /// Whether a process does it once, at its beginning. It and its floor are then measured after
    /// all free memory is returned to the system. Otherwise, the second in a turn would find memory
    /// that the first had to request.
    var happensAtLaunch = false
    /// Whether the 99th percentiles of it and its floor are compared, too.
    var comparesTails = false
    /// The course of a long operation, which runs once.
    var endurance: Endurance?
    /// A sentence that helps people choose.
    var summary: String
    /// Makes what the job needs beyond the scene.
    var start: @Sendable (Scene, Job) async throws -> Operation

    enum Use: Sendable {
        case always
        /// In all runs except quick ones.
        case unlessQuick
        /// Only on request, because it takes long.
        case onRequest

        /// The words that help people choose; `nil` if none are needed.
        var words: String? {
            switch self {
            case .always: nil
            case .unlessQuick: "not with --quick"
            case .onRequest: "only if named with --workloads"
            }
        }
    }
}

/// What a workload repeats on one scene: prepares, performs in turn with the floor, and checks.
struct Operation {
    /// Prepares the next time; not timed. Sets ``Scene/logicalBytes``.
    var prepare: () async throws -> Void = {}
    /// Performs the operation; timed.
    var perform: () async throws -> Void
    /// Performs the operation of the floors ``FloorKind/store``, ``FloorKind/list``,
    /// ``FloorKind/copy`` and ``FloorKind/without``; timed before or after ``perform``.
    var performFloor: () async throws -> Void = {}
    /// Throws a ``WrongAnswer`` if the answer was not right. Not timed.
    var check: () async throws -> Void = {}
    /// Leaves only the windows in the scene, and keeps ``Scene`` correct.
    var finish: () async throws -> Void = {}
    /// Measures all times instead of the usual pairs; `nil` for those.
    var measure: ((JobOrder, inout JobAnswer) async throws -> Void)?
    /// What else was found out, for readers; `nil` if nothing.
    var remark: String?

    /// Prepares, performs, and returns the time of performing in nanoseconds.
    func timed() async throws -> Int {
        try await prepare()
        let start = ContinuousClock.now
        try await perform()
        return (ContinuousClock.now - start).nanoseconds
    }
}

/// An answer of a store that was not right.
struct WrongAnswer: Error {
    let message: String

    init(_ message: String) { self.message = message }

    /// Throws the answer unless the condition holds.
    static func unless(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw Self(message()) }
    }
}
