import BrowserModel
import EngineConformance
import Expectations
import SessionTesting
import TestSupport

@MainActor
struct EngineConformanceTests {
    @Test(arguments: EngineConformance.requirements)
    func simulatedEngineConforms(_ requirement: EngineRequirement) async {
        let verdict = await EngineConformance.check(requirement, on: SimulatedSubject())
        expect(verdict, is: .passed)
    }

    /// Which requirement sees which fault, and whether no other does.
    private nonisolated static let catches: [(EngineFault, String, isAlone: Bool)] = [
        (.capturesOnePage, "HISTORY-1", false),
        (.replacesEntries, "HISTORY-1", false),
        (.ignoresSteps, "HISTORY-2", false),
        (.claimsHistories, "HISTORY-3", false),
        (.losesItsPlaceWhenFull, "HISTORY-6", true),
        (.pretendsToForget, "HISTORY-7", true),
        (.flushesOpenTabsAlone, "STATE-1", true),
        (.flushesNothing, "STATE-2", false),
        (.keepsScrollingToItself, "STATE-3", true),
        (.tellsChangesThatAreNone, "STATE-4", true),
        (.acceptsAnything, "STATE-5", true),
        (.refusesFreshBytes, "STATE-6", false),
        (.sharesCookies, "PARTITION-1", false),
        (.separatesPrivatePages, "PARTITION-2", true),
        (.keepsPrivateCookies, "PARTITION-3", true),
        (.forgetsOpeners, "PARTITION-4", true),
        (.believesPages, "PARTITION-5", true),
        (.hidesFailures, "LOAD-1", true),
        (.showsDownloads, "LOAD-2", false),
        (.commitsDownloads, "LOAD-3", true),
        (.capturesWhatIsLoading, "LOAD-4", true),
        (.tellsTitlesEarly, "LOAD-4", true),
        (.hidesCrashes, "LOAD-6", true),
        (.staysCrashed, "LOAD-6", true),
        (.commitsAtTheEnd, "LOAD-7", true),
        (.keepsViews, "PAGE-2", true),
        (.replacesAdoptedViews, "PAGE-3", true),
    ]

    /// The numbers of the page on web engines.
    @Test func thereAreAsManyAsIsSaid() {
        let ids = EngineConformance.requirements.map(\.id)
        expect(ids.count == 30 && Set(ids).count == 30)
        expect(EngineFault.allCases.count, is: 27)
    }

    @Test func theTableSaysWhatIsWrong() async {
        let report = await EngineConformance.report { SimulatedSubject(fault: .hidesCrashes) }
        expect(!report.isConformant)
        let lines = report.table.split(separator: "\n")
        expect(lines.count { $0.hasPrefix("passed  ") }, is: 29)
        expect(lines.count { $0.hasPrefix("FAILED  LOAD-6") }, is: 1)
        let whole = await EngineConformance.report { SimulatedSubject() }
        expect(whole.isConformant)
    }

    @Test func everyFaultIsTried() {
        expect(Set(Self.catches.map(\.0)), is: Set(EngineFault.allCases))
    }

    @Test(arguments: catches)
    func faultIsSeen(_ fault: EngineFault, by id: String, isAlone: Bool) async throws {
        let requirement = try require(EngineConformance.requirements.first { $0.id == id })
        expect(await Self.sees(requirement, fault), "\(id) does not see \(fault.rawValue)")
    }

    @Test(
        .enabled(if: TestRun.isNightly, "NIGHTLY=1"),
        arguments: catches)
    func faultIsSeenByNoOther(_ fault: EngineFault, than id: String, isAlone: Bool) async {
        var seen: [String] = []
        for requirement in EngineConformance.requirements
        where await Self.sees(requirement, fault) {
            seen.append(requirement.id)
        }
        expect(seen.contains(id) && (seen == [id]) == isAlone, "seen by \(seen)")
    }

    private static func sees(_ requirement: EngineRequirement, _ fault: EngineFault) async -> Bool {
        let verdict = await EngineConformance.check(requirement, on: SimulatedSubject(fault: fault))
        if case .failed = verdict { return true }
        return false
    }
}
