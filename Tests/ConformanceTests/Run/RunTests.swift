import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import StorageConformance

@Suite("A run goes on, whatever a backend does")
struct RunTests {
    /// The report of a run over a backend, each case in a process of its own. In such a process it
    /// does what the process is for, and does not return.
    private func run(
        _ backend: StorageBackend, test: String, adjust: (inout ConformanceRun) -> Void = { _ in }
    ) async throws -> HarnessReport {
        let harness = BackendHarness(backend, child: .test(named: test))
        if ConformanceChild.isChild { await ConformanceChild.run(harness: harness) }
        var run = ConformanceRun(harness, jobs: 2)
        run.selection.requirements = ["CLOSE-1"]
        run.longestTime = .seconds(5)
        adjust(&run)
        return try await run.run()
    }

    @Test func aBackendThatHangsFailsInTime() async throws {
        let folder = TemporaryFolder()
        let report = try await run(Misbehaviour.hangs.backend, test: #function) {
            $0.keep = folder.path
        }
        expect(report.outcome, is: .violation)
        expect(report.message?.contains("time limit of 5.0 seconds"), is: true)
        // What is left of it is kept, and the line that repeats it has the limit.
        let found = try require(report.requirements.first?.cases.first)
        let kept = try require(found.evidence.kept)
        expect(try !FileSystem.contents(of: kept).isEmpty)
        expect(found.evidence.again?.contains("\"longestSeconds\":\"5.0\""), is: true)
    }

    private func fails(_ way: Misbehaviour, test: String, _ clues: String...) async throws {
        let report = try await run(way.backend, test: test)
        expect(report.outcome, is: .violation)
        for clue in clues { expect(report.message?.contains(clue), is: true, "\(clue)") }
    }

    @Test func aBackendThatTrapsFailsWithItsSignal() async throws {
        try await fails(.traps, test: #function, "ended by signal", "(SIG")
    }

    @Test func aBackendThatExitsFailsWithItsCode() async throws {
        try await fails(.exits, test: #function, "exited with code 0")
    }

    @Test func aBackendThatPrintsFailsWithWhatItPrinted() async throws {
        try await fails(.prints, test: #function, "written to standard output", "a word")
    }

    @Test func aBackendThatLeavesAProcessFailsAtOnce() async throws {
        try await fails(.forks, test: #function, "still running at its end")
    }

    @Test func theLineThatRepeatsACaseHasAllThatDecidesIt() throws {
        let command = ChildCommand(
            executable: "storagecheck", arguments: ["child"], repeating: ["run"])
        let backend = Misbehaviour.hangs.backend
        let testCase = try require(ConformanceSuite.cases.first)
        let runner = CaseRunner(
            harness: BackendHarness(backend, child: command), seed: 3, depth: .quick,
            keep: "/tmp/a b", longestTime: .seconds(2))
        let line = command.again(testCase, by: runner)
        expect(line.hasPrefix("storagecheck run --case '\(testCase.id)'"))
        expect(line.hasSuffix("--seed 3 --depth quick --time-limit 2 --keep '/tmp/a b'"))
    }

    @Test func aRedSaysWhereWhyAndHowToRepeatIt() async throws {
        let report = try await run(Misbehaviour.traps.backend, test: #function)
        let found = try require(report.requirements.first?.cases.first)
        expect(found.place.file, is: "Conformance/Cases/Close/CloseRequirements.swift")
        expect(found.evidence.said.contains { $0.contains("a backend that traps") })
        let again = try require(found.evidence.again)
        expect(again.contains("CLOSE-1") && again.contains("\"seed\":1"))
        let text = try ConformanceReport([report]).formatted(.text)
        for clue in found.clues { expect(text.contains(clue)) }
    }

    @Test func theStoresOfAFailedCaseAreKept() async throws {
        let folder = TemporaryFolder()
        let faulty = try require(FaultyBackend.backend(named: "salvages-nothing"))
        let harness = BackendHarness(faulty)
        var run = ConformanceRun(harness)
        run.selection.requirements = ["RECOVERY-6"]
        run.keep = folder.path
        run.depth = .quick
        let found = try require(try await run.run().requirements.first?.cases.first)
        expect(found.message?.contains(" flipped"), is: true, "\(found.message ?? "")")
        let kept = try require(found.evidence.kept)
        expect(
            try FileSystem.contents(of: kept) == [
                "1 sound", "2 opened after the damage", "3 damaged, never opened",
            ])
        let (sound, damaged) = try (
            LocationFiles("\(kept)/1 sound"), LocationFiles("\(kept)/3 damaged, never opened")
        )
        expect(damaged.difference(from: sound)?.hasSuffix("was changed"), is: true)
    }

    @Test func theFirstStateThatIsWrongAfterACutIsKept() async throws {
        let folder = TemporaryFolder()
        var run = ConformanceRun(try BuiltChecker.harness(faulty: "acknowledges-unsynced-saves"))
        run.selection.requirements = ["POWER-2"]
        run.keep = folder.path
        run.depth = .quick
        let found = try require(try await run.run().requirements.first?.cases.first)
        let message = try require(found.message)
        let kept = try require(found.evidence.kept)
        let name = try require(try FileSystem.contents(of: kept).first)
        let store = try ReferenceEngine.open(StorageConfiguration(location: "\(kept)/\(name)"))
        let sets = NumberedSets(stateBytes: 20_000, wanders: true)
        let seen: String
        do {
            seen = "\(try await sets.lastApplied(in: store)) is there"
        } catch let violation as Violation {
            seen = violation.message
        }
        // An error names the store, which lay elsewhere then.
        let place = /'[^']*'/
        expect(message.replacing(place, with: "").contains(seen.replacing(place, with: "")))
        try await store.close()
    }

    @Test func whenABackendDiesAtDamageTheDamageIsReportedAndKeptAndNothingIsLeft() async throws {
        let owner = ConformanceChild.isChild ? getppid() : getpid()
        let stores = NSTemporaryDirectory() + "browser-sessions-dying-\(owner)"
        try FileSystem.makeDirectories(stores)
        defer { try? FileSystem.remove(stores) }
        let dying = StorageBackend(name: "reference", summary: "") {
            configuration throws(StorageError) in
            try OrderedSessionStorage(opening: configuration, engine: DiesAtDamage())
        }
        let harness = BackendHarness(dying, folder: stores, child: .test(named: #function))
        if ConformanceChild.isChild { await ConformanceChild.run(harness: harness) }
        let folder = TemporaryFolder()
        var run = ConformanceRun(harness)
        run.selection.requirements = ["RECOVERY-6"]
        run.keep = folder.path
        run.depth = .quick
        let found = try require(try await run.run().requirements.first?.cases.first)
        let message = found.message ?? ""
        expect(message.contains("(SIGBUS) within the case, when it had tried '"))
        expect(message.contains(" flipped"))
        let kept = try require(found.evidence.kept)
        expect(try FileSystem.contents(of: kept) == ["1 sound", "2 opened after the damage"])
        expect(try FileSystem.contents(of: stores) == [])
        #if os(Linux)
            let frames = found.evidence.said
            expect(
                frames.contains {
                    $0.contains("FileEngine.open(_:) in conformance DiesAtDamage")
                }, "\(frames)")
        #endif
    }

    @Test func aSoundBackendIsPartlyTriedWithAFilter() async throws {
        let report = try await run(Self.reference, test: #function)
        expect(report.outcome == .partial && report.isFiltered)
        expect(report.requirements.map(\.verdict), is: [.passed])
        expect(report.traits?.backend, is: "reference")
    }

    @Test func aFaultyBackendIsCaughtInAProcessOfItsOwn() async throws {
        let mutant = try require(FaultyBackend.all.first { $0.name == "closes-once" })
        let report = try await run(mutant.backend, test: #function)
        expect(report.outcome, is: .violation)
        expect(report.message?.contains(mutant.message), is: true)
    }

    @Test func tooFewGradedCasesAreAFailure() async throws {
        let report = try await run(Self.reference, test: #function) { $0.minimumGraded = 2 }
        expect(report.outcome, is: .violation)
        expect(report.problems, is: ["1 cases were graded, 2 are wanted at least"])
    }

    @Test func aPartWithoutCasesToTryIsNeitherAViolationNorASuccess() async throws {
        let report = try await run(Self.reference, test: #function) {
            $0.selection.requirements = ["CONFIGURATION-5"]
        }
        expect(report.outcome == .partial && report.problems.isEmpty)
        expect(report.requirements.first?.cases.first?.verdict, is: .notApplicable)
        expect(ConformanceReport([report]).exitCode, is: 2)
        let wanting = try await run(Self.reference, test: #function) {
            $0.selection.requirements = ["CONFIGURATION-5"]
            $0.minimumGraded = 1
        }
        expect(wanting.outcome, is: .violation, "who asks for one gets what he asks for")
    }

    @Test func noProcessIsStartedForWhatAHarnessCannotDo() async throws {
        let harness = BackendHarness(
            Self.reference, persistence: .process,
            child: ChildCommand(executable: "/nonexistent", arguments: []))
        func verdict(_ need: Capability) async throws -> Verdict {
            let testCase = ConformanceSuite.cases.first { $0.requirement.needs.first == need }
            return await CaseRunner(harness: harness, seed: 1).run(try require(testCase)).verdict
        }
        expect(try await verdict(.files) == .notApplicable(.files))
        // What it can do, and what the stores decide, is tried.
        for need in [Capability.reopening, .erasure] {
            if case .errored = try await verdict(need) { continue }
            recordIssue("\(need) was not tried")
        }
    }

    @Test func aNameThatDoesNotExistIsAMistake() throws {
        for selection in [
            CaseSelection(groups: ["CLOES"]), CaseSelection(requirements: ["CLOSE-99"]),
            CaseSelection(cases: ["CLOSE-1 never"]),
        ] {
            expect(throws: UnknownName.self) { try selection.select() }
        }
        expect(try CaseSelection().select().count == ConformanceSuite.cases.count)
    }

    @Test func everyOutcomeHasItsExitCode() {
        expect(RunOutcome.allCases.map(\.exitCode), is: [0, 1, 2, 3])
        expect(RunOutcome.worst([.conformant, .partial, .violation]), is: .violation)
        expect(RunOutcome.worst([.violation, .harnessError]), is: .harnessError)
        expect(ConformanceReport([]).outcome, is: .harnessError)
    }

    static var reference: StorageBackend {
        StorageBackend(name: "reference", summary: "") { configuration throws(StorageError) in
            try ReferenceEngine.open(configuration)
        }
    }
}

/// An engine with a library that ends the process when its file has damage.
private struct DiesAtDamage: SalvagingFileEngine {
    private let base = ReferenceEngine()
    var name: String { base.name }
    var formatVersion: Int { base.formatVersion }
    var abilities: EngineAbilities { base.abilities }

    func recognizes(_ names: [String]) -> Bool { base.recognizes(names) }

    func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        let path = ReferenceLog.file(in: request.directory.pathForLibraries)
        if try FileSystem.exists(path) {
            let log = ReferenceLog(bytes: try FileSystem.read(path))
            if log.isDamaged || log.unfinishedBytes > 0 { raise(SIGBUS) }
        }
        return try base.open(request)
    }

    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        try base.salvage(directory, visit)
    }
}

extension HarnessReport {
    /// The first message of its cases.
    var message: String? { requirements.flatMap(\.cases).compactMap(\.message).first }
}
