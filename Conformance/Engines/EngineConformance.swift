import BrowserModel
import BrowserSessions

/// The suite for engine bindings: what a `WebEngine` must do so that no content of a tab is lost.
///
/// The suite is data: a test runner makes a case of each of ``requirements``, and a program prints
/// the table of ``report(_:isolation:)``.
///
/// ```swift
/// for requirement in EngineConformance.requirements {
///     let verdict = await EngineConformance.check(requirement, on: MySubject())
///     ...
/// }
/// ```
public enum EngineConformance {
    /// All requirements, in the order of the table.
    public static let requirements: [EngineRequirement] =
        EngineCases<NoSubject>.all.map(\.requirement)

    /// Checks one requirement on a subject that has not been used before.
    ///
    /// - Parameter requirement: the requirement to check.
    /// - Parameter subject: what the engine brings along for it.
    /// - Parameter isolation: the actor of the engine.
    public static func check<Subject: EngineSubject>(
        _ requirement: EngineRequirement, on subject: Subject,
        isolation: isolated any Actor = #isolation
    ) async -> EngineVerdict {
        guard let found = EngineCases<Subject>.all.first(where: { $0.requirement == requirement })
        else { return .notApplicable("the suite has no \(requirement.id)") }
        do {
            try await found.run(try await .begin(subject, isolation: isolation), isolation)
            return .passed
        } catch EngineCaseEnd.violated(let message) {
            return .failed(message)
        } catch EngineCaseEnd.notApplicable(let reason) {
            return .notApplicable(reason)
        } catch {
            return .failed("\(error)")
        }
    }

    /// Checks every requirement, each on a new subject.
    public static func report<Subject: EngineSubject>(
        _ makeSubject: () throws -> Subject, isolation: isolated any Actor = #isolation
    ) async -> EngineReport {
        var report = EngineReport()
        for requirement in requirements {
            let verdict: EngineVerdict
            do {
                verdict = await check(requirement, on: try makeSubject(), isolation: isolation)
            } catch {
                verdict = .failed("there is no subject: \(error)")
            }
            report.verdicts.append((requirement, verdict))
        }
        return report
    }
}

/// A requirement with its check.
struct EngineCase<Subject: EngineSubject> {
    let requirement: EngineRequirement
    let run: (EngineLife<Subject>, isolated any Actor) async throws -> Void

    init(
        _ id: String, _ statement: String,
        _ run: @escaping (EngineLife<Subject>, isolated any Actor) async throws -> Void
    ) {
        requirement = EngineRequirement(id, statement)
        self.run = run
    }
}

/// All cases, for each kind of subject.
enum EngineCases<Subject: EngineSubject> {
    typealias Life = EngineLife<Subject>

    static var all: [EngineCase<Subject>] { history + state + partitions + loading + pages }
}

/// Exists only to name the requirements.
private final class NoSubject: EngineSubject {
    typealias Engine = PageHistoryEngine
    let clock: any Clock<Duration> = ContinuousClock()
    func makeEngine() -> PageHistoryEngine { PageHistoryEngine() }
    func address(of page: TestPage) -> String { "" }
    func wait(until condition: () -> Bool) async {}
    func passTime(_ duration: Duration) async {}
    func makeLooseView(_ page: TestPage, with engine: Engine) async -> PageHistory? { nil }
    func scroll(_ view: PageHistory, of engine: Engine, to position: Int) async {}
    func scrollPosition(_ view: PageHistory) async -> Int? { nil }
    func setCookie(_ cookie: String, in view: PageHistory, of engine: Engine) async {}
    func cookies(in view: PageHistory, of engine: Engine) async -> String { "" }
    func push(_ addresses: [String], in view: PageHistory, of engine: Engine) async -> Int { 0 }
    func openPopups(_ pages: [TestPage], from view: PageHistory, of engine: Engine) async {}
    func isOpener(_ view: PageHistory, of other: PageHistory) async -> Bool? { nil }
    func endProcess(of view: PageHistory, of engine: Engine) async -> Bool { false }
    func hang(_ view: PageHistory, of engine: Engine) async -> Bool { false }
}
