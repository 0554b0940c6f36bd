import BrowserSessions
import TestSupport
import Testing

@Suite("save and restore")
struct SaveTests {
    @Test("a new store has no session", arguments: Subject.all)
    func newStore(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        #expect(try await store.sessions() == [])
        #expect(try await store.restore(Sample.window) == nil)
        try await store.close()
    }

    @Test("what was saved comes back after reopening", arguments: Subject.all)
    func roundTrip(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        var changes = Sample.window(tabs: 100)
        let key = TabStateKey(tab: Sample.tab(3).id, name: .navigation)
        changes.put([1, 2, 3], for: key)
        let receipt = try await store.save(changes, durability: .powerLoss)
        #expect(receipt == SaveReceipt(sequence: 1, durability: .powerLoss))
        let before = try #require(try await store.restore(Sample.window))
        #expect(before.tabs == (0..<100).map { Sample.tab($0) })
        #expect(before.provenance == .intact && before.losses == [] && before.repairs == [])
        try await store.close()

        store = try await subject.open(folder)
        #expect(try await store.restore(Sample.window) == before)
        #expect(try await store.state(of: key) == [1, 2, 3])
        #expect(try await store.stateKeys(in: Sample.window) == [key])
        #expect(try await store.sessions() == [Sample.window])
        try await store.close()
    }

    @Test("moving a tab is one set and keeps its state", arguments: Subject.all)
    func move(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        var changes = Sample.window(tabs: 3)
        let key = TabStateKey(tab: Sample.tab(1).id, name: .native)
        changes.put([9], for: key)
        _ = try await store.save(changes)
        var move = SessionChanges()
        move.put(Sample.tab(1), in: Sample.otherWindow)
        _ = try await store.save(move)
        #expect(try await store.restore(Sample.window)?.tabs.map(\.id.low) == [0, 2])
        #expect(try await store.restore(Sample.otherWindow)?.tabs.map(\.id.low) == [1])
        #expect(try await store.state(of: key) == [9])
        try await store.close()
    }

    @Test("removing a session keeps the tabs that the set moves away", arguments: Subject.all)
    func removeSession(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        var changes = Sample.window(tabs: 3)
        let kept = TabStateKey(tab: Sample.tab(1).id, name: .navigation)
        let gone = TabStateKey(tab: Sample.tab(2).id, name: .navigation)
        changes.put([1], for: kept)
        changes.put([2], for: gone)
        _ = try await store.save(changes)
        var removal = SessionChanges()
        removal.remove(Sample.window)
        removal.put(Sample.tab(1), in: Sample.otherWindow)
        for _ in 1...2 {
            _ = try await store.save(removal)
            #expect(try await store.sessions() == [Sample.otherWindow])
            #expect(try await store.restore(Sample.window) == nil)
            #expect(try await store.state(of: [kept, gone]) == [kept: [1]])
        }
        #expect(try await store.recover(.check).losses == [])
        try await store.close()
    }

    @Test("sets that contradict themselves are refused whole", arguments: Subject.all)
    func contradictions(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 2))
        let before = try await store.restore(Sample.window)
        let tab = Sample.tab(0)
        let key = TabStateKey(tab: tab.id, name: .native)
        let contradictions: [[SessionChanges.Change]] = [
            [.putTab(tab, in: Sample.window), .putTab(tab, in: Sample.otherWindow)],
            [.putTab(tab, in: Sample.window), .removeTab(tab.id, from: Sample.window)],
            [.putTab(tab, in: Sample.window), .removeSession(Sample.window)],
            [.putSession(Sample.window, .init()), .removeSession(Sample.window)],
            [.putState([], for: key), .removeState(key)],
            [.putState([], for: key), .removeTab(tab.id, from: Sample.window)],
            [.putTab(tab, in: Sample.window), .putTab(Sample.tab(5), in: Sample.incognito)],
        ]
        for contradiction in contradictions {
            var changes = SessionChanges()
            contradiction.forEach { changes.add($0) }
            let code = await errorCode { _ = try await store.save(changes) }
            #expect(code == .invalidChanges)
        }
        #expect(try await store.restore(Sample.window) == before)
        try await store.close()
    }

    @Test("expected sequence numbers and commit ids", arguments: Subject.all)
    func optimisticSaves(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        var changes = Sample.window(tabs: 1)
        changes.commitID = .random()
        changes.expectedSequence = 0
        let receipt = try await store.save(changes)
        #expect(receipt.sequence == 1 && !receipt.wasAlreadyApplied)
        try await store.close()
        store = try await subject.open(folder)
        let again = try await store.save(changes)
        #expect(again.sequence == 1 && again.wasAlreadyApplied)
        changes.commitID = nil
        #expect(await errorCode { _ = try await store.save(changes) } == .conflict)
        try await store.close()
    }

    @Test("the limit of a blob holds at, below and above", arguments: Subject.all)
    func limit(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(
            folder, options: ["maximumStateBytes": .integer(1000)])
        let key = TabStateKey(tab: Sample.tab(0).id, name: .native)
        for count in [0, 999, 1000, 1001] {
            var changes = Sample.window(tabs: 1)
            changes.put([UInt8](repeating: 7, count: count), for: key)
            let code = await errorCode { _ = try await store.save(changes) }
            #expect(code == (count > 1000 ? .tooLarge : nil))
        }
        #expect(try await store.state(of: key)?.count == 1000)
        try await store.close()
    }

    @Test("after close every call says so; closing twice is fine", arguments: Subject.all)
    func closed(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        try await store.close()
        try await store.close()
        #expect(await errorCode { _ = try await store.sessions() } == .closed)
        #expect(await errorCode { _ = try await store.restore(Sample.window) } == .closed)
        #expect(await errorCode { _ = try await store.save(SessionChanges()) } == .closed)
        #expect(await errorCode { _ = try await store.recover(.check) } == .closed)
        #expect(await errorCode { try await store.deleteIncognito() } == .closed)
    }

    @Test("a cancelled task does nothing", arguments: Subject.all)
    func cancelled(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await errorCode { _ = try await store.save(Sample.window(tabs: 1)) }
        }
        #expect(await task.value == .cancelled)
        #expect(try await store.sessions() == [])
        try await store.close()
    }

    @Test("incognito is on its own side and goes at once", arguments: Subject.all)
    func incognito(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 2))
        _ = try await store.save(Sample.window(tabs: 2, id: Sample.incognito))
        #expect(try await store.sessions() == [Sample.incognito, Sample.window])
        try await store.close()
        store = try await subject.open(folder)
        #expect(try await store.restore(Sample.incognito)?.tabs.count == 2)
        for _ in 1...2 {
            try await store.deleteIncognito()
            #expect(try await store.sessions() == [Sample.window])
        }
        #expect(try !FileSystem.exists(folder.file("profile/incognito")))
        try await store.close()
        store = try await subject.open(folder)
        #expect(try await store.sessions() == [Sample.window])
        _ = try await store.save(Sample.window(tabs: 1, id: Sample.incognito))
        #expect(try await store.restore(Sample.incognito)?.tabs.count == 1)
        try await store.close()
    }

    @Test("the previous generation stays while a window is emptied", arguments: Subject.all)
    func generations(subject: Subject) async throws {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        let key = TabStateKey(tab: Sample.tab(4).id, name: .navigation)
        var changes = Sample.window(tabs: 10)
        changes.put([4], for: key)
        _ = try await store.save(changes)
        #expect(try await store.restore(Sample.window, generation: .previous) == nil)
        try await store.close()
        for _ in 1...3 {
            store = try await subject.open(folder)
            var emptying = SessionChanges()
            for number in 0..<10 { emptying.remove(Sample.tab(number).id, from: Sample.window) }
            _ = try await store.save(emptying)
            #expect(try await store.restore(Sample.window)?.tabs == [])
            let earlier = try await store.restore(Sample.window, generation: .previous)
            #expect(earlier?.tabs == (0..<10).map { Sample.tab($0) })
            #expect(earlier?.provenance == .previousGeneration)
            #expect(try await store.state(of: key) == [4])
            #expect(try await store.recover(.check).losses == [])
            try await store.close()
        }
    }
}
