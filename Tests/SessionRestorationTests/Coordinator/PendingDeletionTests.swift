import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting

@testable import SessionRestoration

/// A deletion of the incognito partition that failed, and what is private afterwards.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PendingDeletionTests {
    private let problem = StorageError(.failed, "input/output error")

    /// Which of the calls to come fails: the save of the new tabs, the note of the launch, or none.
    @Test(arguments: 1...5)
    func privateTabsThatWereSavedAfterAFailedDeletionStay(failing call: Int) async throws {
        let host = try await Host.firstProcess()
        _ = try await host.window("old", kind: .incognito)
        _ = try await host.window("older", kind: .incognito)
        host.storage.fail(.deleteIncognito, with: problem, on: .every)
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.incognito.delete()
        }
        await host.waitUntilIdle()
        let window = try host.windows.incognito.open()
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"), as: .active)
        host.storage.fail(.save, with: problem, on: .nth(call))
        let isSaved: Bool
        do {
            try await host.restorer.save()
            isSaved = true
        } catch { isSaved = false }
        if !isSaved { try await host.restorer.save() }
        let next = try await host.killed()
        expect(next.windows.incognito.map(\.titles), is: [["new"]])
    }

    /// A host that fails to delete what an earlier process has left, and saves new private tabs then:
    /// the first call that does so is for the regular partition, the second for the private tabs, the
    /// third notes that nothing is owed any more.
    private func savingAfterAFailedDeletion(failing calls: [Int]) async throws -> Host {
        let first = try await Host.firstProcess()
        let regular = try await first.window("a")
        _ = try await first.window(kind: .incognito)
        let host = try await first.killed { [problem] in
            $0.fail(.deleteIncognito, with: problem, on: .every)
        }
        await host.waitUntilIdle()
        expect(try await host.marker()?.hasPendingDeletion == true)
        host.seen.reset()
        try require(host.windows.window(regular.id)).tab("a").setTitle("a2")
        let window = try host.windows.incognito.open()
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"), as: .active)
        for call in calls { host.storage.fail(.save, with: problem, on: .nth(call)) }
        await expect(throws: SessionRestorationError.self) { try await host.restorer.save() }
        return host
    }

    @Test func privateTabsThatAreToldToBeSavedStayThoughTheOtherPartitionFailed() async throws {
        let host = try await savingAfterAFailedDeletion(failing: [1])
        expect(host.seen.saves.map(\.partition), is: [.incognito])
        expect(!host.restorer.isSaved)
        let next = try await host.killed()
        expect(next.windows.incognito.map(\.titles), is: [["new"]])
    }

    @Test func privateTabsAreSavedOnceTheNextProcessIsNotToldToDeleteThem() async throws {
        let host = try await savingAfterAFailedDeletion(failing: [1, 3])
        expect(host.seen.saves.isEmpty)
        expect(!host.restorer.isSaved)
        try await host.restorer.save()
        expect(host.seen.saves.map(\.partition), is: [.regular, .incognito])
        expect(host.restorer.isSaved)
        let next = try await host.killed()
        expect(next.windows.incognito.map(\.titles), is: [["new"]])
    }

    @Test func anOwedDeletionIsBegunAtOnceInTheNextStore() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("secret", kind: .incognito)
        host.storage.fail(.deleteIncognito, with: problem, on: .every)
        host.storage.fail(.save, with: problem, on: .every)
        window.tabs.closeAll(reason: .user)
        await host.waitUntilIdle()
        let base = try require(host.storage.base as? MemoryStorage)
        let reopened = FaultyStorage(base.reopened())
        host.restorer.replaceStorage(with: reopened)
        await host.waitUntilIdle()
        expect(reopened.calls(of: .deleteIncognito).count, is: 1)
        expect(host.seen.events.contains("incognitoDeleted"))
    }

    @Test func aDeletionThatIsStillOwedIsNotedBeforeASaveIsAcknowledged() async throws {
        let host = try await Host.firstProcess()
        _ = try await host.window("old", kind: .incognito)
        let window = try await host.window("a")
        host.storage.fail(.deleteIncognito, with: problem, on: .every)
        // The note that the deletion is owed does not reach the store either.
        host.storage.fail(.save, with: problem, on: .first(3))
        await expect(throws: SessionRestorationError.self) {
            try await host.restorer.incognito.delete()
        }
        await host.waitUntilIdle()
        host.storage.forgetFaults()
        host.storage.fail(.deleteIncognito, with: problem, on: .every)
        try window.tab("a").setTitle("a2")
        try await host.restorer.save()
        let next = try await host.killed()
        expect(next.windows.incognito.isEmpty)
        expect(next.windows.map(\.titles), is: [["a2"]])
    }
}
