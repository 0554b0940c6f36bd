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
        return ModestStorage(base: try ReferenceEngine.open(own))
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

private struct ModestStorage: StorageDecorator {
    let base: any SessionStorage

    var traits: StorageTraits {
        var traits = base.traits
        traits.durability = [.processCrash]
        traits.keepsRestorePoints = false
        traits.takesRestorePoints = false
        return traits
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        guard durability <= .processCrash else {
            throw StorageError(.unsupported, "this store syncs nothing", operation: "save")
        }
        var receipt = try await base.save(changes, durability: durability)
        receipt.durability = .processCrash
        return receipt
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        try require(version, "restore")
        return try await base.restore(ids, at: version)
    }

    func states(of keys: [TabStateKey], at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey: [UInt8]]
    {
        try require(version, "states")
        return try await base.states(of: keys, at: version)
    }

    func stateKeys(in session: SessionID, at version: SessionVersion)
        async throws(StorageError) -> [TabStateKey]
    {
        try require(version, "state keys")
        return try await base.stateKeys(in: session, at: version)
    }

    func restorePoints() async throws(StorageError) -> [RestorePoint] {
        _ = try await sessions()
        return []
    }

    func sessions(at version: SessionVersion) async throws(StorageError) -> [SessionID] {
        try require(version, "sessions")
        return try await base.sessions()
    }

    func takeRestorePoint(name: String, pinned: Bool) async throws(StorageError)
        -> RestorePoint
    {
        throw StorageError(.unsupported, "this store keeps no restore points")
    }

    func releaseRestorePoint(_ id: RestorePointID) async throws(StorageError) {
        throw StorageError(.unsupported, "this store keeps no restore points")
    }

    private func require(_ version: SessionVersion, _ operation: String) throws(StorageError) {
        guard version != .current else { return }
        throw StorageError(
            .unsupported, "this store keeps no restore points", operation: operation)
    }
}
