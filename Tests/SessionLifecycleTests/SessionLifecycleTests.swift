import BrowserSessions
import Expectations
import SessionLifecycle
import SessionTesting
import TestSupport

/// Runs a lifecycle until `work` has returned and the shutdown is through.
func run(
    _ sessions: SessionLifecycle, while work: @escaping @Sendable () async throws -> Void
) async throws {
    let shutdown = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await sessions.run { await shutdown.pass() } }
        do { try await work() } catch { Issue.record(error) }
        shutdown.open()
        try await group.waitForAll()
    }
}

struct SessionLifecycleTests {
    @Test func hundredsOfProfilesLiveOnActorsOfTheirOwnAndComeBack() async throws {
        let count = TestRun.amount(200, nightly: 1000)
        let stores = (0..<count).map { _ in MemoryStorage() }
        let users = stores.enumerated().map { number, store in User("\(number)", in: .memory(store))
        }
        let sessions = try SessionLifecycle(hosts: users)
        try await run(sessions) {
            expect(try await sessions.ready().ready == users.map(\.id))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, user) in users.enumerated() {
                    group.addTask { try await user.browse(number) }
                }
                try await group.waitForAll()
            }
        }
        for (number, store) in stores.enumerated() {
            let again = User("again", in: .memory(store.reopened()))
            try await again.beginSessions()
            let titles = [4, 0, 1, 2].map { "\(number)/\($0)" }
            expect(await again.titles == [titles])
            try await again.endSessions()
        }
    }

    @Test func oneLockedProfileIsNamedAndTriedAgainWhileTheOthersGoOn() async throws {
        let folder = TemporaryFolder()
        let holder = try await User.Store.folder(folder.file("b")).open()
        let users = ["a", "b", "c"].map { User($0, in: .folder(folder.file($0))) }
        let sessions = try SessionLifecycle(hosts: users)
        try await run(sessions) {
            let readiness = try await sessions.ready()
            expect(readiness.ready, is: ["a", "c"])
            expect(readiness.failures.map(\.host), is: ["b"])
            let failure = try require(readiness.failures.first)
            expect((failure.error as? StorageError)?.code, is: .locked)
            expect((failure.error as? StorageError)?.location, is: folder.file("b"))
            expect(failure.description.contains("'\(folder.file("b"))'"))
            await expect(throws: SessionLifecycleError.self) { try await sessions.retry("b") }
            try await holder.close()
            try await sessions.retry("b")
            expect(try await sessions.ready().ready == ["a", "b", "c"])
        }
        expect(await users[0].calls == ["begin", "end"])
        expect(await users[1].calls == ["begin", "end", "begin", "end", "begin", "end"])
    }

    @Test func aHostIsReadyOnlyWhenItIsRestoredAndOthersDoNotWaitForIt() async throws {
        let gate = Gate()
        let users = [User("slow", gate: gate), User("quick")]
        let sessions = try SessionLifecycle(hosts: users)
        try await run(sessions) {
            try await sessions.ready("quick")
            let all = Task { try await sessions.ready() }
            let impatient = Task { try await sessions.ready("slow") }
            impatient.cancel()
            await expect(throws: SessionLifecycleError.self) { try await impatient.value }
            if case .ready = sessions.states["slow"] { recordIssue("it is not restored yet") }
            gate.open()
            expect(try await all.value.ready == ["slow", "quick"])
            try await sessions.ready("slow")
        }
    }

    @Test func hostsComeAndGoWhileItRuns() async throws {
        let sessions = try SessionLifecycle()
        let changes = sessions.changes()
        let store = MemoryStorage()
        try await run(sessions) {
            let user = User("anna", in: .memory(store))
            try sessions.add(user)
            expect(throws: SessionLifecycleError.self) { try sessions.add(User("anna")) }
            try await sessions.ready("anna")
            try await user.browse(7)
            try await sessions.remove("anna")
            expect(sessions.states.isEmpty)
            await expect(throws: SessionLifecycleError.self) { try await sessions.ready("anna") }
            await expect(throws: SessionLifecycleError.self) { try await sessions.remove("anna") }
            let again = User("anna", in: .memory(store.reopened()))
            try sessions.add(again)
            try await sessions.ready("anna")
            expect(await again.titles == [["7/4", "7/0", "7/1", "7/2"]])
        }
        var heard: [String] = []
        for await change in changes { heard.append("\(change.host) \(change.state)") }
        let life = ["waiting", "beginning", "ready", "ending", "ended"].map { "anna \($0)" }
        expect(heard, is: life + life)
    }

    @Test func oneThatIsRemovedWhileItBeginsIsCancelledAndReleased() async throws {
        let beginning = User("beginning", gate: Gate())
        let waiting = User("waiting")
        let sessions = try SessionLifecycle(hosts: [beginning], concurrency: 1)
        let changes = sessions.changes()
        try await run(sessions) {
            for await change in changes {
                if case .beginning = change.state { break }
            }
            try sessions.add(waiting)
            try await sessions.remove("waiting")
            try await sessions.remove("beginning")
        }
        expect(await beginning.calls == ["begin", "end"])
        expect(await waiting.calls == [])
    }

    @Test func whatCouldNotBeginKeepsNoOtherFromItAndIsReleased() async throws {
        let users = [User("a"), User("b", failuresToBegin: 1), User("c")]
        let sessions = try SessionLifecycle(hosts: users)
        try await run(sessions) {
            await expect(throws: SessionLifecycleError.self) { try await sessions.ready("b") }
            let readiness = try await sessions.ready()
            expect(readiness.ready, is: ["a", "c"])
        }
        for user in users { expect(await user.calls == ["begin", "end"]) }
    }
}

struct LifecycleEndTests {
    @Test func everyOneThatCouldNotEndIsReported() async throws {
        let users = [
            User("a"), User("b", failuresToEnd: 1), User("c", failuresToEnd: 1), User("d"),
        ]
        let sessions = try SessionLifecycle(hosts: users)
        let error = await expect(throws: SessionLifecycleError.self) {
            try await run(sessions) { _ = try await sessions.ready() }
        }
        guard case .notEnded(let failures) = error else { throw User.Failure.end }
        expect(failures.map(\.host), is: ["b", "c"])
        for user in users { expect(await user.calls == ["begin", "end"]) }
    }

    @Test func oneThatCouldNotBeRemovedIsTriedAgain() async throws {
        let users = [User("a", failuresToEnd: 1), User("b", failuresToEnd: 1)]
        let sessions = try SessionLifecycle(hosts: users)
        try await run(sessions) {
            _ = try await sessions.ready()
            for user in users {
                await expect(throws: SessionLifecycleError.self) {
                    try await sessions.remove(user.id)
                }
            }
            try await sessions.remove("a")
        }
        for user in users { expect(await user.calls == ["begin", "end", "end"]) }
    }

    @Test func aCancelledTaskSavesAllTheSame() async throws {
        let store = MemoryStorage()
        let user = User("a", in: .memory(store))
        let sessions = try SessionLifecycle(hosts: [user])
        let task = Task { try await sessions.run { await Gate().pass() } }
        try await sessions.ready("a")
        task.cancel()
        try await task.value
        expect(await user.calls == ["begin", "end"])
        expect(store.isClosed)
    }

    @Test func itRunsOnceAndTakesNoHostAfterwards() async throws {
        let sessions = try SessionLifecycle(hosts: [User("a")])
        try await run(sessions) {}
        await expect(throws: SessionLifecycleError.self) { try await sessions.run {} }
        await expect(throws: SessionLifecycleError.self) { try await sessions.ready() }
        expect(throws: SessionLifecycleError.self) { try sessions.add(User("b")) }
        for await _ in sessions.changes() { recordIssue("nothing happens any more") }
        expect(throws: SessionLifecycleError.self) {
            try SessionLifecycle(hosts: [User("a"), User("a")])
        }
    }
}
