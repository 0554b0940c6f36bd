import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

extension Host {
    /// The process is killed, and after a while another one starts over the same store.
    func killed(
        after time: Duration = .seconds(1), boot: String = "boot", policy: RestorationPolicy? = nil,
        prepare: (FaultyStorage) -> Void = { _ in }
    ) async throws -> Host {
        let host = try nextProcess(after: time, boot: boot, policy: policy)
        prepare(host.storage)
        try await host.restorer.restore()
        return host
    }

    /// The next process before it restores. Late saves of this one do not reach the store.
    func nextProcess(
        after time: Duration = .seconds(1), boot: String = "boot", policy: RestorationPolicy? = nil
    ) throws -> Host {
        let base = try require(storage.base as? MemoryStorage)
        let reopened = base.reopened()
        clock.advance(by: time)
        var policy = policy ?? restorer.policy
        policy.launchEnvironment = LaunchEnvironment(bootID: boot, processID: 1)
        return Host(storage: FaultyStorage(reopened), clock: clock, policy: policy)
    }

    /// The first process of a store.
    static func firstProcess(
        policy: RestorationPolicy = RestorationPolicy(), closingGrace: Duration? = .seconds(5)
    ) async throws -> Host {
        var policy = policy
        policy.closingGrace = closingGrace
        policy.launchEnvironment = LaunchEnvironment(bootID: "boot", processID: 1)
        return try await launched(policy: policy)
    }

    /// Waits until all that is due has begun and waits for the store: for stores that hang.
    func waitUntilAllHasBegun(file: String = #fileID, line: Int = #line) async {
        await restorer.context.work.waitUntilAllHasBegun()
        guard Task.isCancelled else { return }
        recordIssue("something that is due never began", file: file, line: line)
    }

    /// What the last write left for the next process.
    func marker() async throws -> LaunchMarker? {
        try await stored(LaunchMarker.session).flatMap { LaunchMarker($0.attributes) }
    }

    /// Every tab of the store, or only the regular ones, and how often it is there.
    func everyTab(isRegular: Bool = false) throws -> [TabID: Int] {
        let base = try require(storage.base as? MemoryStorage)
        let snapshots = base.snapshots.filter { !isRegular || $0.id.partition == .regular }
        let tabs = snapshots.flatMap { $0.tabs.map(\.metadata.id) }
        return Dictionary(tabs.map { ($0, 1) }, uniquingKeysWith: +)
    }
}
