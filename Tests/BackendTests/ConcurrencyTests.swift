import BrowserSessions
import Synchronization
import TestSupport
import Testing

@Suite("many tasks")
struct ConcurrencyTests {
    @Test("readers never see half a set", arguments: Subject.all)
    func atomicSets(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(revision(0))
        let isDone = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var newest = 0
                    while !isDone.isSet {
                        let session = try #require(try await store.restore(Sample.window))
                        let titles = Set([session.attributes.title] + session.tabs.map(\.title))
                        #expect(titles.count == 1 && session.tabs.count == 5)
                        let seen = try #require(titles.first.flatMap { Int($0) })
                        #expect(seen >= newest)
                        newest = seen
                    }
                }
            }
            for number in 1...60 { _ = try await store.save(revision(number)) }
            isDone.set()
            try await group.waitForAll()
        }
        try await store.close()
    }

    @Test("saves of many tasks all count", arguments: Subject.all)
    func manyWriters(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        let sequences = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for task in 0..<16 {
                group.addTask {
                    var sequences: [UInt64] = []
                    for number in 0..<5 {
                        var changes = SessionChanges()
                        changes.put(Sample.tab(task * 5 + number), in: Sample.window)
                        let durability: Durability =
                            number.isMultiple(of: 2) ? .powerLoss : .processCrash
                        let receipt = try await store.save(changes, durability: durability)
                        #expect(receipt.durability >= durability)
                        sequences.append(receipt.sequence)
                    }
                    return sequences
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(sequences.sorted() == Array(1...80))
        #expect(try await store.restore(Sample.window)?.tabs == (0..<80).map { Sample.tab($0) })
        try await store.close()
    }

    @Test("a close among saves loses no acknowledged one", arguments: Subject.all)
    func closing(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        let saved = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<40 {
                group.addTask {
                    var changes = SessionChanges()
                    changes.put(Sample.tab(number), in: Sample.window)
                    let code = await errorCode { _ = try await store.save(changes) }
                    #expect(code == nil || code == .closed)
                    return code == nil ? number : nil
                }
                if number == 20 {
                    group.addTask {
                        try await store.close()
                        return nil
                    }
                }
            }
            return try await group.reduce(into: Set<Int>()) {
                if let number = $1 { $0.insert(number) }
            }
        }
        let again = try await subject.open(folder)
        let tabs = try await again.restore(Sample.window)?.tabs.map { Int($0.id.low) } ?? []
        #expect(Set(tabs) == saved)
        try await again.close()
    }

    @Test("of many openers one gets the store", arguments: Subject.all)
    func openers(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let opened = try await withThrowingTaskGroup(of: (any SessionStorage)?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        return try await subject.open(folder)
                    } catch let error as StorageError {
                        #expect(error.code == .locked)
                        return nil
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        #expect(opened.count == 1)
        for store in opened { try await store.close() }
    }

    @Test("a cancelled task does nothing, whatever it calls", arguments: Subject.all)
    func cancelled(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 2))
        _ = try await store.save(Sample.window(tabs: 2, id: Sample.incognito))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var codes = await codes(of: store)
            codes.append(await errorCode { _ = try await subject.open(folder, "other") })
            return codes
        }
        #expect(await task.value.allSatisfy { $0 == .cancelled })
        #expect(try !FileSystem.exists(folder.file("other")))
        #expect(try await store.sessions() == [Sample.incognito, Sample.window])
        try await store.close()
    }

    @Test("a closed store says so, whatever is called", arguments: Subject.all)
    func closed(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 2))
        try await store.close()
        let before = try Tree(folder.path)
        #expect(await codes(of: store).dropLast().allSatisfy { $0 == .closed })
        #expect(try Tree(folder.path) == before)
    }

    /// The codes with which all calls fail; closing comes last.
    private func codes(of store: any SessionStorage) async -> [StorageError.Code?] {
        let key = TabStateKey(tab: Sample.tab(0).id, name: .native)
        return [
            await errorCode { _ = try await store.sessions() },
            await errorCode { _ = try await store.restore(Sample.window) },
            await errorCode { _ = try await store.restore(Sample.window, generation: .previous) },
            await errorCode { _ = try await store.state(of: key) },
            await errorCode { _ = try await store.stateKeys(in: Sample.window) },
            await errorCode { _ = try await store.save(Sample.window(tabs: 5)) },
            await errorCode { _ = try await store.save(SessionChanges()) },
            await errorCode { try await store.deleteIncognito() },
            await errorCode { _ = try await store.recover(.check) },
            await errorCode { _ = try await store.recover(.repair) },
            await errorCode { try await store.close() },
        ]
    }

    /// Five tabs and the session with the same number in their titles.
    private func revision(_ number: Int) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "\(number)"), for: Sample.window)
        for index in 0..<5 {
            var tab = Sample.tab(index)
            tab.title = "\(number)"
            changes.put(tab, in: Sample.window)
        }
        return changes
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }
}
