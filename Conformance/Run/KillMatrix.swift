public import BrowserSessions
import Foundation

/// The result of checking the suite itself: the requirement that a faulty backend was made to
/// break must catch it, and every *must* requirement must catch one.
public struct KillMatrix: Codable, Hashable, Sendable {
    /// The outcome for one faulty backend.
    public struct Row: Codable, Hashable, Sendable {
        /// How the suite judged a faulty backend.
        public enum Effect: String, Codable, Hashable, Sendable {
            /// The right requirement caught it, with the right message.
            case caught
            /// Only other requirements caught it, or the message was another one.
            case caughtElsewhere
            /// No requirement caught it.
            case survived
        }

        /// The name of the faulty backend, such as `forgets-on-reopen`.
        public let name: String
        /// The identifier of the requirement that it was made to break.
        public let breaks: String
        /// Whether the suite caught it, and with the right requirement.
        public let effect: Effect
        /// What caught it instead, and how.
        public let others: [String]
    }

    /// The cases that a backend without an implementation can pass.
    public struct HollowRow: Codable, Hashable, Sendable {
        /// The name of the backend, such as `null`.
        public let name: String
        /// The identifiers of the cases that it passes.
        public let passed: [String]
        /// The number of cases that were tried, including those that do not apply.
        public let total: Int
    }

    /// The outcomes of the faulty backends that ran.
    public let rows: [Row]
    /// What backends without an implementation pass; empty if only named backends ran.
    public let hollow: [HollowRow]
    /// *Must* requirements that no faulty backend was made to break.
    public let unproven: [String]

    /// Whether the suite catches everything that it should.
    public var isSound: Bool { rows.allSatisfy { $0.effect == .caught } && unproven.isEmpty }
}

/// Makes a ``KillMatrix``.
public struct SuiteVerification: Sendable {
    /// The number of cases that run at the same time; by default, one per active core.
    public var jobs = ConformanceRun.defaultJobs
    /// The seed of everything random.
    public var seed: UInt64 = 1
    /// How much the cases that count something try.
    public var depth = SuiteDepth.full
    /// A limit for every case; the case's own applies if it is shorter. `nil` for none.
    public var longestTime: Duration?
    /// The only faulty backends to run; all, and the hollow ones, if it is empty.
    public var names: [String] = []
    /// The cases to run; tests use fewer.
    var cases = ConformanceSuite.cases
    /// Makes the harness for a backend of the zoo, found by ``FaultyBackend/backend(named:)``.
    /// A child process adapts it with ``FaultyBackend/harness(named:over:)``.
    public var harness: @Sendable (_ name: String, _ backend: StorageBackend) -> BackendHarness
    /// Receives one sentence about each backend that is done.
    public var progress: @Sendable (String) -> Void = { _ in }

    /// Creates a verification with the function that makes the harness for a backend.
    public init(
        harness:
            @escaping @Sendable (_ name: String, _ backend: StorageBackend) -> BackendHarness
    ) {
        self.harness = harness
    }

    /// Runs the suite on each chosen backend. Throws ``UnknownName`` for an unknown name.
    public func run() async throws -> KillMatrix {
        var rows: [KillMatrix.Row] = []
        let mutants = try chosen()
        for mutant in mutants {
            let row = try await row(mutant)
            progress("[\(rows.count + 1)/\(mutants.count)] \(row.name) \(row.words)")
            rows.append(row)
        }
        guard names.isEmpty else { return KillMatrix(rows: rows, hollow: [], unproven: []) }
        return KillMatrix(
            rows: rows, hollow: try await hollowRows(),
            unproven: Self.unproven(FaultyBackend.all))
    }

    /// Returns what backends without an implementation pass.
    func hollowRows() async throws -> [KillMatrix.HollowRow] {
        var rows: [KillMatrix.HollowRow] = []
        for backend in FaultyBackend.hollow {
            let results = try await results(backend.name, backend, cases)
            let passed = results.filter { $0.verdict == .passed }.map(\.testCase.id)
            progress("\(backend.name) passes \(passed.count) of \(results.count) cases")
            rows.append(.init(name: backend.name, passed: passed, total: results.count))
        }
        return rows
    }

    private func chosen() throws -> [FaultyBackend] {
        let all = FaultyBackend.all
        if let name = names.first(where: { name in !all.contains { $0.name == name } }) {
            throw UnknownName("no faulty backend is called '\(name)'")
        }
        return names.isEmpty ? all : all.filter { names.contains($0.name) }
    }

    static func unproven(_ mutants: [FaultyBackend]) -> [String] {
        ConformanceSuite.requirements.filter { requirement in
            requirement.level == .must && !requirement.isProvisional
                && !mutants.contains { $0.breaks == requirement.id }
        }.map(\.id)
    }

    func row(_ mutant: FaultyBackend) async throws -> KillMatrix.Row {
        let (own, rest) = (
            cases.filter { $0.requirement.id == mutant.breaks },
            cases.filter { $0.requirement.id != mutant.breaks }
        )
        let first = try await results(mutant.name, mutant.backend, own).compactMap(\.failure)
        if first.contains(where: { $0.message.contains(mutant.message) }) {
            return .init(name: mutant.name, breaks: mutant.breaks, effect: .caught, others: [])
        }
        let second = try await results(mutant.name, mutant.backend, rest).compactMap(\.failure)
        let others = (first + second).map { "\($0.id): \($0.message)" }
        return .init(
            name: mutant.name, breaks: mutant.breaks,
            effect: others.isEmpty ? .survived : .caughtElsewhere, others: others)
    }

    /// Runs the cases without a preflight, because faults of these backends are not faults of
    /// the harness. Reads the traits from a store in this process, which all of them can open.
    private func results(
        _ name: String, _ backend: StorageBackend, _ cases: [ConformanceCase]
    ) async throws -> [CaseResult] {
        let harness = FaultyBackend.harness(named: name, over: harness(name, backend))
        let runner = CaseRunner(
            harness: harness, traits: try await traits(of: harness), seed: seed,
            depth: depth, longestTime: longestTime)
        return await runner.run(cases, jobs: jobs)
    }

    /// Returns a store's traits. A faulty backend may fail to close, or leave something behind.
    private func traits(of harness: any StorageHarness) async throws -> StorageTraits {
        let location = try await harness.makeLocation()
        let store = try await harness.open(StorageConfiguration(location: location))
        try? await store.close()
        try? await harness.removeLocation(location)
        return store.traits
    }
}

extension CaseResult {
    /// The id of the case and the message, if the case failed.
    fileprivate var failure: (id: String, message: String)? {
        if case .failed(let message) = verdict { (testCase.id, message) } else { nil }
    }
}
