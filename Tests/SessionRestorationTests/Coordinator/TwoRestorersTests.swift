import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// Two restorers over one store: the newer one goes on, the older one stops and says so.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct TwoRestorersTests {
    private let folder = TemporaryFolder()

    /// Another restorer over the same store, which is not opened again.
    private func second(_ host: Host) async throws -> Host {
        try await host.relaunched()
    }

    private func expectSuperseded(
        _ host: Host, file: String = #fileID, line: Int = #line, _ work: () async throws -> Void
    ) async {
        do {
            try await work()
            recordIssue("nothing was thrown", file: file, line: line)
        } catch SessionRestorationError.superseded {
        } catch {
            recordIssue("\(error) was thrown", file: file, line: line)
        }
        expect(host.restorer.health.name, is: "superseded", file: file, line: line)
    }

    @Test(arguments: [true, false])
    func theOlderOneStopsAndNothingOfTheNewerOneIsLost(isOnDisk: Bool) async throws {
        let store: any SessionStorage =
            isOnDisk
            ? try await StorageBackend.directory.open(
                StorageConfiguration(location: folder.file("store")))
            : MemoryStorage()
        let old = try await Host.launched(storage: FaultyStorage(store))
        let window = try await old.window("a", "b")
        let new = try await second(old)
        let same = try require(new.windows.window(window.id))
        try same.tabs.close(same.tab("a"))
        try same.tabs.insert(Tab(url: "https://c.example/", title: "c"))
        try await new.restorer.save()
        let tab = try window.tab("a")
        tab.setTitle("a2")
        try window.tabs.close(window.tab("b"))
        await expectSuperseded(old) { try await old.restorer.save() }
        expect(try await new.storedTitles(same) == ["b", "c"])
        // It stays so, whatever is asked for.
        old.storage.forgetCalls()
        tab.setTitle("a3")
        old.clock.advance(by: .seconds(1_000))
        await old.waitUntilIdle()
        await expectSuperseded(old) { try await old.restorer.history.clear() }
        await expectSuperseded(old) { try await old.restorer.incognito.delete() }
        await expectSuperseded(old) { try old.restorer.closed.reopenLast() }
        try await old.restorer.close()
        expect(old.storage.calls.isEmpty)
        expect(old.seen.events.filter { $0 == "healthChanged" }.count, is: 1)
        try same.tab("c").setTitle("c2")
        try await new.restorer.save()
        expect(try await new.storedTitles(same) == ["b", "c2"])
        expect(try await new.marker()?.phase != .clean)
        try await new.restorer.close()
        try await store.close()
    }

    @Test func itIsNoticedAlsoByADelayedSaveAndByTheNoteOfTheLaunch() async throws {
        let old = try await Host.firstProcess()
        let window = try await old.window("a")
        let new = try await second(old)
        try window.tab("a").setLoad(.loading(""))
        await old.waitUntilIdle()
        expect(old.restorer.health.name, is: "superseded")
        let third = try await second(new)
        try require(new.windows.first).tab("a").setTitle("a2")
        new.clock.advance(by: new.restorer.policy.saveDelay)
        await new.waitUntilIdle()
        await expectSuperseded(new) { try await new.restorer.save() }
        try await third.restorer.save()
    }

    @Test func itStaysSoThoughAStateIsReadLate() async throws {
        let first = try await Host.firstProcess()
        let window = try await first.window("a", "b")
        let old = try await second(first)
        let new = try await second(old)
        try require(old.windows.first).tab("b").setTitle("b2")
        await expectSuperseded(old) { try await old.restorer.save() }
        old.storage.hang(.states)
        let tab = try require(old.windows.window(window.id)).tab("a")
        let reading = Task { try await tab.forceRealization() }
        await old.storage.waitForHangingCalls()
        old.clock.advance(by: old.restorer.policy.stallLimit)
        await old.waitUntilAllHasBegun()
        expect(old.restorer.health.name, is: "superseded")
        old.storage.release()
        try await reading.value
        expect(tab.isRealized && old.restorer.health.name == "superseded")
        try await new.restorer.save()
    }

    @Test(arguments: [false, true])
    func privateTabsOfTheNewerOneAreNeitherTouchedNorDeleted(areClosed: Bool) async throws {
        let old = try await Host.firstProcess()
        let secret = try await old.window("s", kind: .incognito)
        let new = try await second(old)
        if areClosed {
            secret.tabs.closeAll(reason: .user)
            await old.waitUntilIdle()
        } else {
            try secret.tab("s").setTitle("s2")
            await expectSuperseded(old) { try await old.restorer.save() }
        }
        let same = try require(new.windows.incognito.first)
        expect(try await new.storedTitles(same) == ["s"])
    }

    // MARK: What is no other restorer

    @Test func aHostThatSavesBesideItIsNone() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        let kind = try require(SessionKind(rawValue: "notes"))
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "x"), for: SessionID(window: .random(), kind: kind))
        _ = try await host.storage.base.save(changes)
        try window.tab("a").setTitle("a2")
        try await host.restorer.save()
        expect(try await host.storedTitles(window) == ["a2"])
        expect(host.restorer.health.name, is: "healthy")
    }

    @Test func aLostAnswerIsNone() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        for number in 0..<3 {
            host.storage.failAfterwards(
                .save, with: StorageError(.unavailable, "no answer", effect: .indeterminate))
            try window.tab(number == 0 ? "a" : "a\(number)").setTitle("a\(number + 1)")
            await expect(throws: SessionRestorationError.self) { try await host.restorer.save() }
            try await host.restorer.save()
        }
        expect(try await host.storedTitles(window) == ["a3"])
    }

    @Test func aStoreThatTakesThePlaceOfAnotherMayHaveAnotherNote() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        let other = try await Host.firstProcess()
        _ = try await other.window("x")
        let base = try require(other.storage.base as? MemoryStorage).reopened()
        host.restorer.replaceStorage(with: base)
        try await host.restorer.save()
        await host.waitUntilIdle()
        expect(try await base.restore(window.sessionID, at: .current) != nil)
        try window.tab("a").setTitle("a2")
        try await host.restorer.save()
    }

    @Test func aSaveMakesNoMoreCalls() async throws {
        let host = try await Host.firstProcess()
        let window = try await host.window("a")
        let secret = try await host.window("s", kind: .incognito)
        try window.tab("a").setTitle("a2")
        try await host.restorer.save()
        expect(host.storage.calls.map(\.operation), is: [.save])
        host.storage.forgetCalls()
        try secret.tab("s").setTitle("s2")
        try await host.restorer.save()
        expect(host.storage.calls.map(\.operation), is: [.restore, .save])
    }

    // MARK: One process, one profile

    @Test func anotherRestorerOfTheSameProcessIsNoCrash() async throws {
        var host = try await Host.launched(policy: .with { $0.launchEnvironment = nil })
        _ = try await host.window("a", "b")
        for _ in 0..<4 {
            host = try await second(host)
            expect(host.restorer.report?.launch.kind, is: .sameProcess)
            expect(host.windows.windows.map(\.titles), is: [["a", "b"]])
        }
    }

    @Test func aProfileHasOneRestorer() async throws {
        let profiles = ProfileManager(root: "/profiles")
        let profile = try profiles.create(named: "default")
        let store = FaultyStorage()
        let first = SessionRestorer(profile: profile, storage: store)
        try await first.restore()
        let second = SessionRestorer(profile: profile, storage: store)
        do {
            try await second.restore()
            recordIssue("a second restorer of a profile restored")
        } catch SessionRestorationError.profileHasRestorer(let name) {
            expect(name, is: "default")
        }
        let window = try profile.windows.open()
        try window.tabs.insert(Tab(url: "https://a.example/", title: "a"))
        try await first.save()
        expect(try await store.base.restore(window.sessionID, at: .current)?.tabs.count == 1)
        try await first.close()
        let third = SessionRestorer(profile: profile, storage: store)
        try await third.restore()
        expect(try profile.data(SessionRestorer.self) === third)
        try await third.close()
    }
}
