import BrowserSessions
import Expectations
import SessionSamples
import SessionTesting

@Suite("A storage that fails on demand", .timeLimit(.minutes(10)))
struct FaultyStorageTests {
    let memory = MemoryStorage()
    let storage: FaultyStorage
    let window: SessionSnapshot
    let full = StorageError(.outOfSpace, "the disk is full")

    init() {
        storage = FaultyStorage(memory)
        var sampler = SessionSampler(seed: 1)
        var window = sampler.window(tabs: 3)
        window.tabs[0].states[.native] = [1, 2]
        self.window = window
    }

    var changes: SessionChanges { SessionChanges(saving: window) }

    /// The error of a call; `nil` if there is none.
    func error(of call: () async throws -> Void) async -> StorageError? {
        do {
            try await call()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    func saveError() async -> StorageError? {
        await error { _ = try await storage.save(changes) }
    }

    /// All operations, as ``callAll()`` calls them.
    static let operations: [StorageCall.Operation] = [
        .sessions, .summaries, .restorePoints, .restorePointBytes, .earlierTabs, .takeRestorePoint,
        .releaseRestorePoint, .restore, .states, .stateKeys, .save, .deleteIncognito, .check,
        .repair, .purgeQuarantine, .eraseRemoved, .forget, .close,
    ]

    /// Calls every method once; what it threw, in order.
    func callAll() async -> [StorageError?] {
        let (id, changes) = (window.id, changes)
        let key = TabStateKey(tab: TabID(high: 1, low: 1), name: .native, partition: .regular)
        let calls: [(FaultyStorage) async throws -> Void] = [
            { _ = try await $0.sessions() },
            { _ = try await $0.summaries() },
            { _ = try await $0.restorePoints() },
            { _ = try await $0.restorePointBytes() },
            { _ = try await $0.earlierTabs() },
            { _ = try await $0.takeRestorePoint(name: "mine", pinned: true) },
            { try await $0.releaseRestorePoint(RestorePointID(rawValue: 1)) },
            { _ = try await $0.restore(id) },
            { _ = try await $0.states(of: [key]) },
            { _ = try await $0.stateKeys(in: id) },
            { _ = try await $0.save(changes) },
            { try await $0.deleteIncognito() },
            { _ = try await $0.check() },
            { _ = try await $0.repair() },
            { try await $0.erase(.quarantine) },
            { try await $0.erase(.removedData) },
            { try await $0.erase(.sites(try ForgottenSites(["a.example"]))) },
            { try await $0.close() },
        ]
        var errors: [StorageError?] = []
        for call in calls { errors.append(await error { try await call(storage) }) }
        return errors
    }

    @Test func withoutFaultsEveryCallReachesTheBaseAndIsWrittenDown() async throws {
        let errors = await callAll()
        expect(errors.compactMap { $0?.code }, is: [])
        expect(memory.snapshots, is: [window])
        expect(memory.isClosed)
        expect(storage.traits, is: memory.traits)
        expect(storage.calls.map(\.operation), is: Self.operations)
        expect(storage.savedChanges, is: [changes])
    }

    @Test func everyOperationCanFailWithoutDoingAnything() async {
        for operation in Self.operations { storage.fail(operation, with: full) }
        let errors = await callAll()
        expect(errors.map { $0?.code }, is: errors.map { _ in .outOfSpace })
        expect(errors.map { $0?.operation }, is: Self.operations.map(\.rawValue))
        expect(errors.allSatisfy { $0?.effect == .notApplied })
        expect(memory.snapshots, is: [])
        expect(!memory.isClosed)
        expect(storage.calls.count, is: 18)
        expect(storage.stateBytesSaved, is: 0)
        expect(await saveError() == nil)
    }

    @Test func faultIsForTheCallsThatWereNamed() async throws {
        storage.fail(.save, with: full)
        expect(try await storage.sessions() == [])
        expect(await saves(3) == [true, false, false])
        storage.fail(.save, with: full, on: .nth(2))
        expect(await saves(3) == [false, true, false])
        storage.fail(.save, with: full, on: .first(2))
        expect(await saves(3) == [true, true, false])
        storage.fail(.save, with: full, on: .every)
        expect(await saves(3) == [true, true, true])
        storage.forgetFaults()
        expect(await saves(2) == [false, false])
    }

    /// Which of so many saves failed.
    private func saves(_ count: Int) async -> [Bool] {
        var failed: [Bool] = []
        for _ in 0..<count { failed.append(await saveError() != nil) }
        return failed
    }

    @Test func ofSeveralErrorsForOneCallTheFirstIsThrownAndAllAreUsedUp() async {
        storage.fail(.save, with: full)
        storage.fail(.save, with: StorageError(.failed, "another"))
        expect(await saveError()?.code == .outOfSpace)
        expect(await saveError() == nil)
    }

    @Test(arguments: [StorageError.Effect.applied, .indeterminate])
    func callThatFailsAfterwardsHasDoneItsWork(_ effect: StorageError.Effect) async {
        let lost = StorageError(.failed, "the answer was lost", effect: effect)
        storage.failAfterwards(.save, with: lost)
        let error = await saveError()
        expect(error?.effect, is: effect)
        expect(error?.operation, is: "save")
        expect(memory.snapshots, is: [window])
        expect(storage.stateBytesSaved, is: 2)
    }

    @Test func errorOfTheBaseIsThrownRatherThanThatForAfterwards() async throws {
        try await memory.close()
        storage.failAfterwards(
            .save, with: StorageError(.failed, "the answer was lost", effect: .applied))
        expect(await saveError()?.code == .closed)
    }

    @Test func errorThatNamesItsOperationKeepsIt() async {
        storage.fail(.save, with: StorageError(.failed, "no rights", operation: "open file"))
        expect(await saveError()?.operation == "open file")
    }

    @Test func faultsThatMakeNoSenseStopTheTest() async {
        await #expect(processExitsWith: .failure) {
            FaultyStorage().failAfterwards(.save, with: StorageError(.failed, "not true"))
        }
        await #expect(processExitsWith: .failure) { _ = FaultyStorage.ComingCalls.nth(0) }
        await #expect(processExitsWith: .failure) { _ = FaultyStorage.ComingCalls.first(0) }
    }

    @Test func cancelledTaskIsRefusedAndNeitherWrittenDownNorUsesAFaultUp() async {
        storage.fail(.save, with: full)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await saveError()
        }
        expect(await task.value?.code == .cancelled)
        expect(storage.calls, is: [])
        expect(await saveError()?.code == .outOfSpace)
    }
}
