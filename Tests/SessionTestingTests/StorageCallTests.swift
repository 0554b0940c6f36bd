import BrowserSessions
import Expectations
import SessionSamples
import SessionTesting

@Suite("What a storage was asked")
struct StorageCallTests {
    let storage = FaultyStorage()
    let windows: [SessionSnapshot]

    init() {
        var sampler = SessionSampler(seed: 1)
        windows = sampler.windows(2, tabs: 2)
    }

    @Test func saveNamesItsSessionsTabsAndStates() async throws {
        let tabs = windows[0].tabs.map(\.metadata.id)
        let put = TabStateKey(tab: tabs[1], name: .navigation, partition: .regular)
        var changes = SessionChanges(saving: windows[0])
        changes.put([1], for: put)
        changes.remove(windows[1].id)
        changes.remove(TabID(high: 1, low: 1), from: windows[1].id)
        let removed = TabStateKey(tab: TabID(high: 1, low: 2), name: .native, partition: .regular)
        changes.remove(removed)
        _ = try await storage.save(changes)
        let call = try require(storage.calls.first)
        expect(call.changes, is: changes)
        expect(call.durability, is: .memory)
        expect(call.sessionIDs, is: windows.map(\.id).sorted())
        expect(call.tabIDs, is: (tabs + [TabID(high: 1, low: 1), removed.tab]).sorted())
        expect(call.keys, is: [put, removed])
        expect(storage.savedChanges, is: [changes])
    }

    @Test func readsNameWhatTheyRead() async throws {
        let key = TabStateKey(tab: TabID(high: 1, low: 1), name: .native, partition: .regular)
        let ids = windows.map(\.id).sorted()
        _ = try await storage.states(of: [key, key])
        _ = try await storage.restore([ids[1], ids[0], ids[1]])
        _ = try await storage.stateKeys(in: ids[0])
        try await storage.close()
        expect(storage.calls.map(\.tabIDs), is: [[key.tab], [], [], []])
        expect(storage.calls.map(\.keys), is: [[key, key], [], [], []])
        expect(storage.calls.map(\.sessionIDs), is: [[], ids, [ids[0]], []])
        expect(storage.calls.allSatisfy { $0.changes == nil && $0.durability == nil })
        _ = try? await storage.states(of: [key, key])
        expect(storage.calls.first == storage.calls.last && storage.calls[0] != storage.calls[1])
    }

    @Test func statesReadAndBytesSavedAreCounted() async throws {
        let keys = (0..<3).map {
            TabStateKey(tab: TabID(high: 1, low: $0), name: .native, partition: .regular)
        }
        var changes = SessionChanges()
        changes.commitID = CommitID(high: 1, low: 1)
        for key in keys {
            changes.put(TabMetadata(id: key.tab, place: .between(nil, and: nil)), in: windows[0].id)
        }
        changes.put([1, 2, 3], for: keys[0])
        changes.put([4], for: keys[1])
        _ = try await storage.save(changes)
        _ = try await storage.save(changes)
        expect(storage.stateBytesSaved, is: 4)
        _ = try await storage.states(of: keys)
        expect(storage.statesRead, is: 2)
        expect(storage.calls(of: .save).count, is: 2)
        storage.forgetCalls()
        expect(storage.stateBytesSaved, is: 0)
        expect(storage.statesRead, is: 0)
        expect(storage.calls, is: [])
    }
}
