#if FaultyBackends
    public import BrowserSessions
    import Foundation

    /// Checks the suite itself: every faulty backend must be caught by the requirement that it was
    /// made to break, and every *must* requirement must catch one.
    public struct KillMatrix: Codable, Hashable, Sendable {
        /// What became of one faulty backend.
        public struct Row: Codable, Hashable, Sendable {
            public enum Fate: String, Codable, Hashable, Sendable {
                /// By the right requirement with the right message.
                case caught
                /// Only by others, or with another message.
                case caughtElsewhere
                case survived
            }

            public let name: String
            public let breaks: String
            public let fate: Fate
            /// Who caught it instead, and how.
            public let others: [String]
        }

        /// What a backend without anything behind it can pass.
        public struct HollowRow: Codable, Hashable, Sendable {
            public let name: String
            public let passed: [String]
            public let total: Int
        }

        public let rows: [Row]
        public let hollow: [HollowRow]
        /// *Must* requirements that no faulty backend was made to break.
        public let unproven: [String]

        /// Whether the suite catches what it should.
        public var isSound: Bool { rows.allSatisfy { $0.fate == .caught } && unproven.isEmpty }
    }

    /// Makes a ``KillMatrix``.
    public struct SuiteVerification: Sendable {
        public var jobs = ConformanceRun.defaultJobs
        public var seed: UInt64 = 1
        public var depth = SuiteDepth.full
        public var longestTime: Duration?
        /// Only these faulty backends, and nothing but them, if there are any.
        public var names: [String] = []
        /// What is run; tests have fewer.
        var cases = ConformanceSuite.cases
        /// Makes the harness for a backend of the zoo, found by ``FaultyBackend/backend(named:)``; a
        /// child process dresses it with ``FaultyBackend/harness(named:over:)``.
        public var harness: @Sendable (_ name: String, _ backend: StorageBackend) -> BackendHarness
        /// Is told of every backend that is over, in a sentence.
        public var progress: @Sendable (String) -> Void = { _ in }

        public init(
            harness:
                @escaping @Sendable (_ name: String, _ backend: StorageBackend) -> BackendHarness
        ) {
            self.harness = harness
        }

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

        /// What backends without anything behind them pass.
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
                return .init(name: mutant.name, breaks: mutant.breaks, fate: .caught, others: [])
            }
            let second = try await results(mutant.name, mutant.backend, rest).compactMap(\.failure)
            let others = (first + second).map { "\($0.id): \($0.message)" }
            return .init(
                name: mutant.name, breaks: mutant.breaks,
                fate: others.isEmpty ? .survived : .caughtElsewhere, others: others)
        }

        /// No preflight: what is wrong with these backends is no fault of the harness. The traits are
        /// asked of a store in this process, which all of them can open.
        private func results(
            _ name: String, _ backend: StorageBackend, _ cases: [ConformanceCase]
        ) async throws -> [CaseResult] {
            let harness = FaultyBackend.harness(named: name, over: harness(name, backend))
            let runner = CaseRunner(
                harness: harness, traits: try await traits(of: harness), seed: seed,
                depth: depth, longestTime: longestTime)
            return await runner.run(cases, jobs: jobs)
        }

        /// A faulty backend may not be able to close its store or may leave something behind.
        private func traits(of harness: any StorageHarness) async throws -> StorageTraits {
            let location = try await harness.makeLocation()
            let store = try await harness.open(StorageConfiguration(location: location))
            try? await store.close()
            try? await harness.removeLocation(location)
            return store.traits
        }
    }

    extension CaseResult {
        /// The case and the message if it failed.
        fileprivate var failure: (id: String, message: String)? {
            if case .failed(let message) = verdict { (testCase.id, message) } else { nil }
        }
    }
#endif
