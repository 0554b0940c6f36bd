import BrowserSessions
import CommandLineSupport
import Foundation
import StorageEngines

/// A run of a plan, child by child.
struct BenchRun {
    var plan: BenchPlan
    var environment: BenchEnvironment
    var interruption = Interruption()
    private var collector = RowCollector()
    private var problems: [String] = []

    init(plan: BenchPlan, environment: BenchEnvironment) {
        (self.plan, self.environment) = (plan, environment)
    }

    /// Measures until everything is done or cannot continue. The report has everything that was measured.
    ///
    /// - Parameters:
    ///   - progress: receives each step before it begins.
    ///   - launch: carries out an order, usually in another process.
    mutating func run(
        progress: (_ done: Int, _ total: Int, JobOrder) -> Void = { _, _, _ in },
        launch: (JobOrder) async -> ChildOutcome
    ) async -> BenchOutcome {
        var incomplete: String?
        let orders = plan.orders()
        for (place, order) in orders.enumerated() where incomplete == nil {
            if interruption.isAsked {
                incomplete = "interrupted after \(place) of \(orders.count) steps"
                break
            }
            progress(place, orders.count, order)
            incomplete = await step(order, number: place, launch)
        }
        if interruption.isAsked, incomplete == nil { incomplete = "interrupted" }
        if incomplete == nil, collector.failedRows > 0 {
            incomplete =
                "\(collector.failedRows) rows could not be measured; "
                + (problems.first ?? "their notes say why")
        }
        environment.notes = (environment.notes ?? []) + collector.inabilities
        let report = BenchReport(
            environment: environment, results: collector.results(plan),
            incompleteBecause: incomplete)
        return BenchOutcome(
            report: report, hasWrongAnswer: collector.hasWrongAnswer,
            wasInterrupted: interruption.isAsked)
    }

    /// Carries out an order. Returns why no other step can follow; `nil` if one can.
    private mutating func step(
        _ order: JobOrder, number: Int, _ launch: (JobOrder) async -> ChildOutcome
    ) async -> String? {
        let outcome: ChildOutcome
        do throws(StorageError) {
            outcome = try await perform(order, number: number, launch)
        } catch { return "\(error)" }
        if interruption.isAsked { return nil }
        collector.add(outcome, of: order)
        let step = "\(order.contestant.label), \(counted(order.tabs, "tab"))"
        if let reason = fatal(outcome) { return "\(step): \(reason)" }
        if let problem = outcome.problem { problems.append("\(step): \(problem)") }
        return nil
    }

    /// Returns an error that would affect every later step, too; otherwise, `nil`.
    private func fatal(_ outcome: ChildOutcome) -> String? {
        outcome.answers.first { StorageError.stopsBench($0.failureCode) }?.failure
    }

    /// Carries out the order in its own folder, which is removed afterward.
    private func perform(
        _ order: JobOrder, number: Int, _ launch: (JobOrder) async -> ChildOutcome
    ) async throws(StorageError) -> ChildOutcome {
        var order = order
        let contestant = plan.contestants.first { $0.name == order.contestant }
        let hasPath = contestant?.form != .address
        let base = (hasPath ? contestant?.location : nil) ?? plan.folder
        order.folder = "\(base)/\(WorkFolder.prefix)\(getpid())-\(number)"
        let isNew = try !FileSystem.exists(base)
        try FileSystem.makeDirectories(order.folder)
        let outcome = await launch(order)
        try await contestant?.removeAll(of: order, outcome)
        try FileSystem.remove(order.folder)
        if isNew { _ = rmdir(base) }
        return outcome
    }
}

/// The outcome of a run.
struct BenchOutcome: Sendable {
    var report: BenchReport
    var hasWrongAnswer: Bool
    var wasInterrupted: Bool

    /// The exit code: 0 if everything was measured and right, 1 for a wrong answer, 2 if a part was
    /// not measured, and 130 if the user stopped the run.
    var exitCode: Int32 {
        if hasWrongAnswer { return 1 }
        if wasInterrupted { return 130 }
        return report.incompleteBecause == nil ? 0 : 2
    }
}

/// The folders that a run makes.
enum WorkFolder {
    static let prefix = "storagebench-"

    /// Throws if the folder holds a store, so that nothing is made in it.
    static func check(_ folder: String) throws(StorageError) {
        let marks = ["store.json", "store-copy.json", "lock", "regular", "incognito"]
        for mark in marks where try FileSystem.exists("\(folder)/\(mark)") {
            throw StorageError(
                .unsafeLocation,
                "'\(folder)' holds a store; name another folder",
                operation: "bench")
        }
    }
}
