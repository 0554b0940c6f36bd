/// Collects the problems of one source, up to a limit.
struct ProblemLog {
    private(set) var problems: [ImportProblem] = []
    private var left: [ImportProblem.Severity: Int] = [:]
    private let maximum: Int

    init(maximum: Int = ImportLimits().maximumProblems) { self.maximum = maximum }

    mutating func note(at location: String, _ message: String) { add(.note, location, message) }

    mutating func repair(at location: String, _ message: String) { add(.repair, location, message) }

    mutating func loss(at location: String, _ message: String) { add(.loss, location, message) }

    var hasLoss: Bool { problems.contains { $0.severity == .loss } || left[.loss] != nil }

    /// The problems, and how many more there were of each kind.
    func all() -> [ImportProblem] {
        problems
            + ImportProblem.Severity.allCases.compactMap { severity in
                left[severity].map {
                    ImportProblem(severity, at: "the whole source", "\($0) more of this kind")
                }
            }
    }

    private mutating func add(
        _ severity: ImportProblem.Severity, _ location: String, _ message: String
    ) {
        if problems.count < maximum {
            problems.append(ImportProblem(severity, at: location, message))
        } else {
            left[severity, default: 0] += 1
        }
    }
}
