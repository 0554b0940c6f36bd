import BackendSelection
import BrowserSessions
import DirectoryBackend
import Foundation
import TestSupport

@testable import StorageBenchmark

extension TemporaryFolder {
    /// The names of what is in the folder.
    var contents: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    /// A run of few samples with its orders done in this process.
    func run(
        _ contestants: [Contestant], pageCache: PageCache = .kept,
        change: (inout BenchPlan) -> Void = { _ in }
    ) async -> BenchOutcome {
        var plan = BenchPlan(contestants: contestants, folder: path)
        (plan.tabs, plan.stateBytes) = ([10], [512])
        (plan.samples, plan.rounds) = (5, 1)
        change(&plan)
        var run = BenchRun(plan: plan, environment: .test)
        return await run.run { await Self.perform($0, contestants, pageCache) }
    }

    /// What a child process does.
    private static func perform(
        _ order: JobOrder, _ contestants: [Contestant], _ pageCache: PageCache
    ) async -> ChildOutcome {
        var outcome = ChildOutcome()
        guard let contestant = contestants.first(where: { $0.name == order.contestant }) else {
            return ChildOutcome(problem: "there is no \(order.contestant.name)")
        }
        do {
            let worker = JobWorker(order: order, contestant: contestant, pageCache: pageCache)
            try await worker.run { outcome.answers.append($0) }
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }
}

extension [Workload] {
    static func named(_ names: String...) -> [Workload] {
        all.filter { names.contains($0.name) }
    }
}

extension BenchEnvironment {
    static let test = BenchEnvironment(
        cpu: "", kernel: "", filesystem: "", swift: "", libraries: [:], revision: "", seed: 1,
        command: "test")
}

extension Contestants {
    /// What the tests know: one backend beside what the bench brings.
    static func test() throws -> Contestants {
        Contestants(registry: try BackendRegistry([.directory]))
    }
}
