import BrowserSessions

/// The problems of one source, up to a limit.
struct ProblemLog {
    private(set) var problems: [ImportProblem] = []
    private var left: [ImportProblem.Severity: Int] = [:]
    private let maximum: Int

    init(maximum: Int = ImportLimits().maximumProblems) { self.maximum = maximum }

    mutating func note(at location: String, _ message: String) {
        add(ImportProblem(.note, at: location, message))
    }

    mutating func repair(at location: String, _ message: String) {
        add(ImportProblem(.repair, at: location, message))
    }

    mutating func loss(at location: String, _ message: String) {
        add(ImportProblem(.loss, at: location, message))
    }

    /// Adds the damage of a JSON text.
    mutating func loss(_ failure: JSONParser.Failure, in text: String = "the text") {
        loss(
            at: "byte \(failure.offset)",
            (failure.isLimit ? failure.reason : "\(text) is damaged: \(failure.reason)")
                + "; not read: \(counted(failure.bytesNotRead, "byte"))")
    }

    var hasLoss: Bool { problems.contains { $0.severity == .loss } || left[.loss] != nil }

    /// Returns the problems, followed by the number of further ones of each severity.
    func all() -> [ImportProblem] {
        problems
            + ImportProblem.Severity.allCases.compactMap { severity in
                left[severity].map {
                    ImportProblem(severity, at: "the whole source", "\($0) more of this kind")
                }
            }
    }

    mutating func add(_ problem: ImportProblem) {
        if problems.count < maximum {
            problems.append(problem)
        } else {
            left[problem.severity, default: 0] += 1
        }
    }
}
