import BrowserModel
import BrowserSessions
import SessionLifecycle
import SessionRestoration
import SessionTesting
import TestSupport
import Testing

/// One user of a server, with a profile on an actor of their own.
actor User: SessionHost {
    enum Failure: Error { case begin, end }

    let storage: MemoryStorage
    private let failsToBegin: Bool
    private let failsToEnd: Bool
    private let windows = WindowList()
    private var restorer: SessionRestorer?
    private(set) var hasEnded = false

    init(
        storage: MemoryStorage = MemoryStorage(), failsToBegin: Bool = false,
        failsToEnd: Bool = false
    ) {
        self.storage = storage
        self.failsToBegin = failsToBegin
        self.failsToEnd = failsToEnd
    }

    func beginSessions() async throws {
        if failsToBegin { throw Failure.begin }
        let restorer = SessionRestorer(windows: windows, storage: storage)
        self.restorer = restorer
        try await restorer.restore()
    }

    func endSessions() async throws {
        hasEnded = true
        if failsToEnd { throw Failure.end }
        try await restorer?.close()
        try await storage.close()
    }

    func browse(_ number: Int) throws {
        let window = try windows.open()
        for page in 0..<5 {
            let url = "https://\(number).example/\(page)"
            try window.tabs.insert(Tab(url: url, title: "\(number)/\(page)"), .active)
        }
        window.tabs.move(from: 4, to: 0)
        window.tabs.close(at: 4, .cleanup)
    }

    var titles: [[String]] { windows.windows.map { $0.tabs.tabs.map(\.title) } }
}

struct SessionLifecycleTests {
    /// Runs hosts until `work` has returned and the shutdown is through.
    private func run(
        _ hosts: [User], while work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (shutdown, trigger) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let sessions = SessionLifecycle(hosts: hosts)
            group.addTask { try await sessions.run { for await _ in shutdown {} } }
            try await work()
            trigger.finish()
            try await group.waitForAll()
        }
    }

    @Test func hundredsOfProfilesLiveOnActorsOfTheirOwnAndComeBack() async throws {
        let users = (0..<TestRun.amount(200, nightly: 1000)).map { _ in User() }
        for user in users { try await user.beginSessions() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, user) in users.enumerated() {
                group.addTask { try await user.browse(number) }
            }
            try await group.waitForAll()
        }
        for user in users { try await user.endSessions() }
        let again = users.map { User(storage: $0.storage.reopened()) }
        for (number, user) in again.enumerated() {
            try await user.beginSessions()
            let titles = [4, 0, 1, 2].map { "\(number)/\($0)" }
            #expect(await user.titles == [titles])
        }
    }

    @Test func aShutdownSavesWhatHasChanged() async throws {
        let user = User()
        try await run([user]) {
            try await user.browse(7)
        }
        let again = User(storage: user.storage.reopened())
        try await again.beginSessions()
        #expect(await again.titles == [["7/4", "7/0", "7/1", "7/2"]])
    }

    @Test func whenOneCannotBeginTheOthersAreEnded() async throws {
        let users = [User(), User(failsToBegin: true), User()]
        await #expect(throws: User.Failure.begin) {
            try await SessionLifecycle(hosts: users).run {}
        }
        for user in users { #expect(await user.hasEnded) }
    }

    @Test func oneThatCannotEndDoesNotKeepTheOthersFromIt() async throws {
        let users = [User(), User(failsToEnd: true), User()]
        await #expect(throws: User.Failure.end) { try await self.run(users) {} }
        for user in users { #expect(await user.hasEnded) }
        #expect(users[0].storage.isClosed && users[2].storage.isClosed)
    }

    @Test func aCancelledTaskSavesAllTheSame() async throws {
        let user = User()
        let task = Task {
            let (never, trigger) = AsyncStream<Void>.makeStream()
            try await SessionLifecycle(hosts: [user]).run { for await _ in never {} }
            trigger.finish()
        }
        task.cancel()
        try? await task.value
        #expect(await user.hasEnded)
        #expect(user.storage.isClosed)
    }
}
