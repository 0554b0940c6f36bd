import BrowserSessions
import Foundation

/// Runs each case in its own process, if the harness can start one, so that no backend can end or
/// block this process.
struct CaseRunner: Sendable {
    var harness: any StorageHarness
    /// What the stores claim; `nil` if the process of each case must find out.
    var traits: StorageTraits?
    var seed: UInt64
    var depth = SuiteDepth.full
    /// Where the stores of failed cases are kept; `nil` to keep none.
    var keep: String?
    /// A limit for every case, regardless of the case's own limit.
    var longestTime: Duration?

    /// The capabilities that the harness alone decides, in any process and for any store.
    private static func decided(by harness: any StorageHarness) -> [Capability: Bool] {
        let outlivesStores = harness.persistence >= .process
        return [
            .reopening: outlivesStores,
            .files: harness.persistence == .files,
            .processes: harness.persistence >= .elsewhere && harness.child != nil,
            .ownProcess: harness.child != nil,
            .takeover: outlivesStores && harness.takeOver != nil,
            .link: outlivesStores && harness.makeLink != nil,
            .troubles: outlivesStores && harness.troubles != nil,
            .secretOptions: harness.options.contains(where: \.isSecret),
        ]
    }

    /// What the harness and its stores can do.
    static func capabilities(_ harness: any StorageHarness, _ traits: StorageTraits)
        -> Set<Capability>
    {
        var found = Set(decided(by: harness).filter(\.value).keys)
        if SyncCount.isKept { found.insert(.watchedCalls) }
        if traits.durability.contains(.processCrash) { found.insert(.processCrash) }
        if traits.greatestDurability >= .powerLoss { found.insert(.powerLoss) }
        if traits.keepsRestorePoints { found.insert(.restorePoints) }
        if traits.takesRestorePoints { found.insert(.takesRestorePoints) }
        if traits.opensReaders { found.insert(.opensReaders) }
        if traits.removalErasure != nil { found.insert(.erasure) }
        if traits.removalErasure == .erased { found.insert(.removalErased) }
        if traits.incognitoDurability >= .processCrash { found.insert(.incognitoSurvivesKill) }
        if traits.incognitoErasure != .removed { found.insert(.incognitoErased) }
        if traits.incognitoErasure == .sealed {
            found.insert(.incognitoSealed)
            if traits.incognitoSealing?.keyLiesInStore == false {
                found.insert(.incognitoKeyElsewhere)
            }
        }
        return found
    }

    func run(_ testCase: ConformanceCase) async -> CaseResult {
        if let missing = traits.map({ missing(testCase, $0) }) ?? missing(testCase) {
            return CaseResult(testCase, verdict: .notApplicable(missing), duration: .zero)
        }
        let start = ContinuousClock.now
        var (verdict, evidence) =
            harness.child != nil ? await runInChild(testCase) : await runHere(testCase)
        if case .failed = verdict {
            evidence.again = harness.child?.again(testCase, by: self)
        }
        return CaseResult(
            testCase, verdict: verdict, duration: ContinuousClock.now - start, evidence: evidence)
    }

    /// Returns the first need of the case that the harness or its stores cannot meet.
    private func missing(_ testCase: ConformanceCase, _ traits: StorageTraits) -> Capability? {
        let known = Self.capabilities(harness, traits)
        return testCase.requirement.needs.first { !known.contains($0) }
    }

    /// Returns the first such need without an open store; `nil` also if it depends on the traits.
    private func missing(_ testCase: ConformanceCase) -> Capability? {
        let decided = Self.decided(by: harness)
        let first = testCase.requirement.needs.first { decided[$0] != true }
        return first.flatMap { decided[$0] == false ? $0 : nil }
    }

    /// Runs the case in this process. A case that exceeds its time limit is left running.
    func runHere(_ testCase: ConformanceCase) async -> (Verdict, Evidence) {
        let traits: StorageTraits
        do {
            traits = try await knownTraits()
        } catch {
            return (.errored(error.message), Evidence())
        }
        if let missing = missing(testCase, traits) { return (.notApplicable(missing), Evidence()) }
        let context = CaseContext(testCase, harness, traits: traits, seed: seed, depth: depth)
        let work = Task { await judge(testCase, context) }
        let limit = timeLimit(of: testCase)
        var evidence = context.evidence
        guard let (verdict, kept) = await value(of: work, within: limit) else {
            // The parent of a case's own process keeps and removes the stores.
            if !ConformanceChild.isChild { evidence.kept = try? keep.flatMap(context.keepCopies) }
            return (.failed("\(Self.overdue) of \(limit)"), evidence)
        }
        evidence = context.evidence
        evidence.kept = kept
        return (verdict, evidence)
    }

    /// Returns the traits. Without them, no case can be judged or passed.
    private func knownTraits() async throws(HarnessFault) -> StorageTraits {
        if let traits { return traits }
        do {
            let traits = try await harness.readTraits()
            try harness.check(traits)
            return traits
        } catch let fault as HarnessFault {
            throw fault
        } catch let error as StorageError {
            throw HarnessFault("no store can be opened and closed: \(error.full)")
        } catch {
            throw HarnessFault("no store can be opened and closed: \(error)")
        }
    }

    static let overdue = "still running after its time limit"

    func timeLimit(of testCase: ConformanceCase) -> Duration {
        min(testCase.timeLimit, longestTime ?? testCase.timeLimit)
    }

    /// A verdict, and where the stores of the case are kept.
    private typealias Judgement = (Verdict, String?)

    private func judge(_ testCase: ConformanceCase, _ context: CaseContext) async
        -> Judgement
    {
        var verdict = Verdict.passed
        do {
            try await testCase.body(context)
        } catch let violation as Violation {
            verdict = .failed(violation.message)
        } catch let fault as HarnessFault {
            verdict = .errored(fault.message)
        } catch let untried as NotTried {
            verdict = .notTried(untried.reason)
        } catch let error as StorageError {
            verdict = .failed("an error that the case did not expect: \(error.full)")
        } catch {
            verdict = .failed("an error that the case did not expect: \(error)")
        }
        if verdict == .passed, ConformanceChild.isChild, let text = StandardOutput.strayText {
            verdict = .failed(
                "something was written to standard output, which is the host's: \(text)")
        }
        do {
            return (verdict, try await context.cleanUp(keepingIn: verdict.isFailure ? keep : nil))
        } catch {
            if verdict == .passed {
                verdict = .errored("the harness cannot remove a location: \(error)")
            }
        }
        return (verdict, nil)
    }
}
