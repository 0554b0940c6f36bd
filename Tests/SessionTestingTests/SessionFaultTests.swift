import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import SessionTesting

@Suite("Faults for one session", .timeLimit(.minutes(10)))
struct SessionFaultTests {
    private let memory = MemoryStorage()
    private let storage: FaultyStorage
    /// Both are saved, through `storage`; each tab has a state.
    private let window: SessionSnapshot
    private let other: SessionSnapshot
    private let broken = StorageError(.corrupted, "a bad block")

    init() async throws {
        storage = FaultyStorage(memory)
        var sampler = SessionSampler(seed: 1)
        var windows = sampler.windows(2, tabs: 2)
        for window in windows.indices {
            for tab in windows[window].tabs.indices {
                windows[window].tabs[tab].states = [.native: [1]]
            }
        }
        (window, other) = (windows[0], windows[1])
        for window in windows { _ = try await storage.save(SessionChanges(saving: window)) }
        storage.forgetCalls()
    }

    private func key(_ tab: Int, of window: SessionSnapshot) -> TabStateKey {
        TabStateKey(tab: window.tabs[tab].metadata.id, name: .native, in: window.id)
    }

    /// Whether the call fails as it was asked to; any other error fails the test.
    private func fails(_ call: () async throws(StorageError) -> Void) async -> Bool {
        do throws(StorageError) {
            try await call()
            return false
        } catch {
            expect(error.code, is: .corrupted)
            return true
        }
    }

    private func saveFails(_ change: SessionChanges.Change...) async -> Bool {
        var changes = SessionChanges()
        for change in change { changes.add(change) }
        return await fails { () throws(StorageError) in _ = try await storage.save(changes) }
    }

    private func stateFails(_ keys: TabStateKey..., from storage: FaultyStorage) async -> Bool {
        await fails { () throws(StorageError) in _ = try await storage.states(of: keys) }
    }

    // MARK: Each kind of call

    @Test func restoresThatNameTheSessionFail() async {
        storage.fail(.restore, of: window.id, with: broken, on: .every)
        func restoreFails(_ ids: SessionID...) async -> Bool {
            await fails { () throws(StorageError) in
                _ = try await storage.restore(ids, at: .current)
            }
        }
        expect(await !restoreFails(other.id))
        expect(await restoreFails(window.id))
        expect(await restoreFails(other.id, window.id))
        expect(await !restoreFails())
    }

    @Test func statesOfItsTabsFail() async {
        storage.fail(.states, of: window.id, with: broken, on: .every)
        expect(await !stateFails(key(0, of: other), key(1, of: other), from: storage))
        expect(await stateFails(key(0, of: window), from: storage))
        expect(await stateFails(key(0, of: other), key(1, of: window), from: storage))
        let hidden = TabStateKey(
            tab: window.tabs[0].metadata.id, name: .native, partition: .incognito)
        expect(await !stateFails(hidden, from: storage))
    }

    @Test func listsOfItsStatesFail() async {
        storage.fail(.stateKeys, of: window.id, with: broken, on: .every)
        func listFails(_ id: SessionID) async -> Bool {
            await fails { () throws(StorageError) in _ = try await storage.stateKeys(in: id) }
        }
        expect(await !listFails(other.id))
        expect(await listFails(window.id))
    }

    @Test func savesThatChangeItOrItsTabsFail() async {
        storage.fail(.save, of: window.id, with: broken, on: .every)
        let (mine, theirs) = (window.tabs[0].metadata, other.tabs[0].metadata)
        expect(await !saveFails())
        expect(await !saveFails(.put(.session(other.id, SessionAttributes()))))
        expect(await !saveFails(.put(theirs, in: other.id)))
        expect(await !saveFails(.putState([2], for: key(0, of: other))))
        expect(await !saveFails(.removeState(key(0, of: other))))
        expect(await saveFails(.put(.session(window.id, SessionAttributes()))))
        expect(await saveFails(.put(mine, in: window.id)))
        expect(await saveFails(.put(theirs, in: window.id)))
        expect(await saveFails(.put(mine, in: other.id)), "out of the session")
        expect(await saveFails(.putState([2], for: key(0, of: window))))
        expect(await saveFails(.removeState(key(0, of: window))))
        expect(await saveFails(.remove(mine.id, from: window.id)))
        expect(await saveFails(.remove(window.id)))
        expect(
            await saveFails(
                .remove(other.id), .put(.session(window.id, SessionAttributes()))))
    }

    @Test func operationsForTheWholeStoreHaveNoSession() async {
        await #expect(processExitsWith: .failure) {
            FaultyStorage().fail(
                .summaries, of: SessionID(window: .random()),
                with: StorageError(.corrupted, "a bad block"))
        }
        await #expect(processExitsWith: .failure) {
            FaultyStorage().hang(.close, of: SessionID(window: .random()))
        }
    }

    // MARK: Counting

    @Test func onlyCallsOfTheSessionAreCounted() async {
        let mine = SessionChanges.Change.put(.session(window.id, SessionAttributes()))
        let theirs = SessionChanges.Change.put(.session(other.id, SessionAttributes()))
        storage.fail(.save, of: window.id, with: broken, on: .nth(2))
        expect(await !saveFails(theirs))
        expect(await !saveFails(mine))
        expect(await !saveFails(theirs))
        expect(await saveFails(mine))
        expect(await !saveFails(mine))

        storage.fail(.save, of: window.id, with: broken, on: .first(2))
        storage.fail(.save, of: other.id, with: broken)
        expect(await saveFails(mine))
        expect(await saveFails(theirs))
        expect(await !saveFails(theirs))
        expect(await saveFails(mine))
        expect(await !saveFails(mine))
    }

    // MARK: Where tabs are

    @Test func aTabThatMovesTakesItsFaultsToTheOtherSession() async {
        let tab = window.tabs[0].metadata
        storage.fail(.states, of: other.id, with: broken, on: .every)
        storage.fail(.save, with: broken)
        expect(await saveFails(.put(tab, in: other.id)))
        expect(await !stateFails(key(0, of: window), from: storage), "it was not moved")
        expect(await !saveFails(.put(tab, in: other.id)))
        expect(await stateFails(key(0, of: window), from: storage))
        expect(await !stateFails(key(1, of: window), from: storage))
    }

    @Test func tabsAreKnownFromARestoreOrAListOfStates() async throws {
        let next = FaultyStorage(memory.reopened())
        next.fail(.states, of: window.id, with: broken, on: .every)
        next.fail(.states, of: other.id, with: broken, on: .every)
        expect(await !stateFails(key(0, of: window), from: next))
        _ = try await next.restore(window.id)
        expect(await stateFails(key(0, of: window), from: next))
        expect(await !stateFails(key(0, of: other), from: next))
        _ = try await next.stateKeys(in: other.id)
        expect(await stateFails(key(0, of: other), from: next))
    }

    @Test func theStateOfARemovedTabIsStillOfItsSession() async {
        expect(await !saveFails(.remove(window.tabs[0].metadata.id, from: window.id)))
        storage.fail(.states, of: window.id, with: broken)
        expect(await stateFails(key(0, of: window), from: storage))
    }

    @Test func aRestorePointSaysNothingOfATabOfWhichMoreIsKnown() {
        func restored(_ id: SessionID, _ tabs: [TabSnapshot]) -> RestoredSession {
            RestoredSession(id: id, attributes: SessionAttributes(), tabs: tabs.map(\.metadata))
        }
        var homes = TabSessions()
        homes.note([restored(window.id, [window.tabs[0]])], .current)
        homes.note([restored(other.id, window.tabs)], .point(RestorePointID(rawValue: 1)))
        for (number, session) in [(0, window.id), (1, other.id)] {
            let read = StatesRequest(keys: [key(number, of: window)], version: .current)
            expect(homes.concerns(StorageCall(read), session))
        }
    }

    // MARK: The other faults

    @Test func aSaveOfTheSessionCanFailAfterwards() async throws {
        storage.failAfterwards(
            .save, of: window.id,
            with: StorageError(.corrupted, "the answer was lost", effect: .indeterminate))
        expect(await !saveFails(.remove(other.id)))
        expect(await saveFails(.remove(window.id)))
        expect(memory.snapshots, is: [])
    }

    @Test func aSaveOfTheSessionCanHangWhileOthersGoOn() async throws {
        storage.hang(.save, of: window.id, on: .every)
        let waiting = Task { [storage] in
            await storage.waitForHangingCalls()
            return storage.hangingCalls.map(\.sessionIDs)
        }
        expect(await !saveFails(.remove(other.id)))
        let save = Task { await saveFails(.remove(window.id)) }
        expect(await waiting.value == [[window.id]])
        expect(memory.snapshots, is: [window])
        storage.forgetFaults()
        storage.release()
        expect(await !save.value)
        expect(memory.snapshots, is: [])
    }

    @Test func waitingForHangingCallsEndsWhenItsTaskIsCancelled() async {
        let waiting = Task { await storage.waitForHangingCalls(2) }
        waiting.cancel()
        await waiting.value
        expect(storage.hangingCalls, is: [])
    }
}
