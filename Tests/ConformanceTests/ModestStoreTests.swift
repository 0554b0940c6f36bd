import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import StorageConformance

/// Other stores can meet the requirements about abilities that the built-in backends have or lack.
@Suite("Sound stores of other kinds conform", .serialized)
struct ModestStoreTests {
    @Test("one that declares little and refuses the rest")
    func modest() async throws {
        // Its child at night only: started for every case, the test program takes its time.
        let harness = BackendHarness(
            .modest, child: TestRun.isNightly ? .test(named: #function) : nil)
        for testCase in ConformanceSuite.cases
        where [.save, .restore, .close, .configuration].contains(testCase.requirement.group) {
            try await testCase.check(any: harness)
        }
    }

    @Test("one with a secret option")
    func secretive() async throws {
        for testCase in ConformanceSuite.cases
        where testCase.requirement.group == .configuration {
            let verdict = try await testCase.check(any: BackendHarness(.secretive))
            expect(verdict, is: .passed)
        }
    }

    @Test(
        "one that writes on in the files of a copy",
        arguments: ConformanceSuite.cases.filter {
            ["POWER-12", "POWER-13"].contains($0.requirement.id) && $0.name == "a copy"
        })
    func copied(_ testCase: ConformanceCase) async throws {
        try await testCase.check(BackendHarness(RunTests.reference))
    }

    @Test("one with a harness that starts no process is not blamed for its neighbors' files")
    func crowded() async throws {
        for testCase in ConformanceSuite.cases where testCase.requirement.id == "CLOSE-4" {
            let verdict = try await testCase.check(any: BackendHarness(.modest))
            expect(verdict, is: .notApplicable(.ownProcess))
            try await testCase.check(BackendHarness(.modest))
        }
    }
}

extension StorageBackend {
    /// Syncs nothing, and keeps no earlier state.
    fileprivate static let modest = StorageBackend(name: "reference", summary: "") {
        configuration throws(StorageError) in
        guard configuration.options["durability"] != .text(Durability.powerLoss.rawValue) else {
            throw StorageError(.unsupported, "this store syncs nothing", operation: "open")
        }
        var own = configuration
        if own.options["durability"] == nil {
            own.options["durability"] = .text(Durability.processCrash.rawValue)
        }
        return try ReferenceEngine.open(own).modest()
    }

    /// Takes a secret and does nothing with it.
    fileprivate static let secretive = StorageBackend(
        name: "reference", summary: "",
        options: [
            StorageOption(
                "passphrase", kind: .text, default: .text(""), isSecret: true, summary: "")
        ]
    ) { configuration throws(StorageError) in try ReferenceEngine.open(configuration) }
}

extension SessionStorage {
    /// Promises little and keeps no restore points.
    fileprivate func modest() -> AlteredStorage {
        let none = StorageError(.unsupported, "this store keeps no restore points")
        return claiming {
            $0.durability = [.processCrash]
            ($0.keepsRestorePoints, $0.takesRestorePoints) = (false, false)
        }.on(SaveRequest.self) { save, store in
            guard save.durability <= .processCrash else {
                throw StorageError(.unsupported, "this store syncs nothing", operation: "save")
            }
            var receipt = try await save.perform(on: store)
            receipt.durability = .processCrash
            return receipt
        }
        .onlyPresent(RestoreRequest.self, \.version).onlyPresent(StatesRequest.self, \.version)
        .onlyPresent(StateKeysRequest.self, \.version).onlyPresent(SessionsRequest.self, \.version)
        .answering(RestorePointsRequest.self) { $0 = [] }
        .on(TakeRestorePointRequest.self) { _, _ in throw none }
        .on(ReleaseRestorePointRequest.self) { _, _ in throw none }
    }

    /// Refuses calls about earlier versions.
    private func onlyPresent<Request: StorageRequest>(
        _ request: Request.Type, _ version: any KeyPath<Request, SessionVersion> & Sendable
    ) -> AlteredStorage {
        on(request) { request, store in
            guard request[keyPath: version] == .current else {
                throw StorageError(
                    .unsupported, "this store keeps no restore points",
                    operation: request.operation)
            }
            return try await request.perform(on: store)
        }
    }
}
