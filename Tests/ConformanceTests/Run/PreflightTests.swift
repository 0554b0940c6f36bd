import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import Synchronization
import TestSupport

@testable import StorageConformance

@Suite("Faults of a harness are not the backend's")
struct PreflightTests {
    /// A harness over sound stores with one fault of its own.
    struct FaultyHarness: StorageHarness {
        enum Fault: String, CaseIterable {
            case sharesLocations, nestsLocations, usedLocation, cannotRemove, leavesFiles
            case hasNoFiles, doesNotOpen, endsTooSoon

            var message: String {
                switch self {
                case .sharesLocations: "the same location twice"
                case .nestsLocations: "a location inside another"
                case .usedLocation: "a location at which something is"
                case .cannotRemove: "removeLocation() failed"
                case .leavesFiles: "left something behind"
                case .hasNoFiles: "persistence .files is claimed, but there are none"
                case .doesNotOpen: "no store can be opened"
                case .endsTooSoon: "but the store claims saves at .powerLoss"
                }
            }
        }

        init(fault: Fault, base: BackendHarness) {
            self.fault = fault
            self.base = base
        }

        let fault: Fault
        let base: BackendHarness
        private let calls = Calls()
        var name: String { "faulty" }
        var persistence: HarnessPersistence { fault == .endsTooSoon ? .process : .files }
        var options: [StorageOption] { [] }
        var child: ChildCommand? { nil }

        func makeLocation() async throws -> String {
            let shared = "\(base.folder)/shared"
            switch fault {
            case .sharesLocations: return shared
            case .nestsLocations:
                return shared + (calls.next() == 1 ? "" : "/nested")
            case .usedLocation:
                let location = try await base.makeLocation()
                try FileSystem.makeDirectories(location)
                return location
            default: return try await base.makeLocation()
            }
        }

        func open(_ configuration: StorageConfiguration) async throws(StorageError)
            -> any SessionStorage
        {
            if fault == .doesNotOpen { throw StorageError(.unsupported, "not yet") }
            var configuration = configuration
            if fault == .hasNoFiles { configuration.location += "-elsewhere" }
            return try await base.open(configuration)
        }

        func removeLocation(_ location: String) async throws {
            switch fault {
            case .cannotRemove: throw StorageError(.permissionDenied, "no")
            case .leavesFiles: break
            default: try await base.removeLocation(location)
            }
        }
    }

    private final class Calls: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test(arguments: FaultyHarness.Fault.allCases)
    func faults(fault: FaultyHarness.Fault) async throws {
        let folder = TemporaryFolder()
        let harness = FaultyHarness(
            fault: fault, base: BackendHarness(RunTests.reference, folder: folder.path))
        let report = try await ConformanceRun(harness).run()
        expect(report.outcome == .harnessError && report.outcome.exitCode == 3)
        expect(report.fault?.contains(fault.message), is: true, "\(report.fault ?? "no fault")")
        expect(report.requirements.isEmpty)
    }

    @Test("a single case says the same", arguments: FaultyHarness.Fault.allCases.suffix(2))
    func faultOfACase(fault: FaultyHarness.Fault) async throws {
        let harness = FaultyHarness(fault: fault, base: BackendHarness(RunTests.reference))
        let testCase = try require(ConformanceSuite.cases.first)
        let failure = await expect(throws: ConformanceFailure.self) {
            try await testCase.check(any: harness)
        }
        expect(failure?.description.contains("could not be judged: "), is: true)
    }

    @Test("what a server keeps applies but for its files")
    func capabilities() {
        let traits = StorageTraits(
            backend: "server", durability: [.powerLoss], incognitoErasure: .removed)
        func found(_ persistence: HarnessPersistence, _ child: ChildCommand?) -> Set<Capability> {
            CaseRunner.capabilities(
                BackendHarness(RunTests.reference, persistence: persistence, child: child), traits)
        }
        let child = ChildCommand.test(named: #function)
        expect(found(.elsewhere, child).isSuperset(of: [.reopening, .processes]))
        expect(!found(.elsewhere, child).contains(.files))
        expect(!found(.elsewhere, nil).contains(.processes))
        expect(!found(.process, child).contains(.processes))
        expect(found(.files, child).isSuperset(of: [.reopening, .processes, .files]))
    }

    @Test("a store can be taken over only if its harness knows how")
    func takeover() {
        let traits = StorageTraits(
            backend: "server", durability: [.powerLoss], incognitoErasure: .removed)
        func canTakeOver(_ persistence: HarnessPersistence, _ takeOver: BackendHarness.Takeover?)
            -> Bool
        {
            let harness = BackendHarness(
                RunTests.reference, persistence: persistence, takeOver: takeOver)
            return CaseRunner.capabilities(harness, traits).contains(.takeover)
        }
        expect(canTakeOver(.elsewhere) { _ in })
        expect(canTakeOver(.process) { _ in })
        expect(!canTakeOver(.opened) { _ in })
        expect(!canTakeOver(.elsewhere, nil))
    }

    @Test func aForeignProgramAsChildIsAFault() async throws {
        let child = ChildCommand(executable: "/bin/echo", arguments: ["hello"])
        let report = try await ConformanceRun(BackendHarness(RunTests.reference, child: child))
            .run()
        expect(report.outcome, is: .harnessError)
        expect(report.fault?.contains("should say 'hello reference'"), is: true)
    }
}
