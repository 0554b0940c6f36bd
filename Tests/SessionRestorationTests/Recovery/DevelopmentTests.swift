import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// Processes of somebody who develops the app are killed at will; others are not.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct DevelopmentTests {
    private func policy(_ isDevelopment: Bool) -> RestorationPolicy {
        .with { $0.crashes.isDevelopment = isDevelopment }
    }

    private func kinds(_ modes: [Bool]) async throws -> [LaunchAssessment.Kind] {
        var host = try await Host.firstProcess(policy: policy(modes.first ?? false))
        _ = try await host.window("a", "b")
        var kinds: [LaunchAssessment.Kind] = []
        for mode in modes.dropFirst() {
            host = try await host.killed(policy: policy(mode))
            kinds.append(try require(host.restorer.report?.launch.kind))
            let isAside = host.restorer.report?.launch.decision != .restore
            expect(host.windows.windows.isEmpty, is: isAside)
        }
        return kinds
    }

    @Test func killsInDevelopmentAreNoCrashesOfAnybody() async throws {
        let ended = LaunchAssessment.Kind.endedInDevelopment
        let cases: [([Bool], [LaunchAssessment.Kind])] = [
            ([true, true, true, true, false], [ended, ended, ended, ended]),
            // Those between them do not make a loop; a crash loop of others is one for a developer.
            ([false, true, false, true], [.afterCrash(count: 1), ended, .afterCrash(count: 1)]),
            ([false, false, true], [.afterCrash(count: 1), .afterCrash(count: 2)]),
        ]
        for (modes, expected) in cases { expect(try await kinds(modes) == expected, "\(modes)") }
    }

    @Test func aSuspectOfACrashIsNoneAfterADevelopersKill() async throws {
        let host = try await Host.firstProcess(policy: policy(true))
        let window = try await host.window("a", "b")
        try window.tab("a").setLoad(.loading(""))
        await host.waitUntilIdle()
        let next = try await host.killed(after: .seconds(1_000_000), policy: policy(false))
        expect(next.restorer.report?.launch.suspects, is: [])
        expect(next.windows.first?.titles, is: ["a", "b"])
    }
}
