import BrowserSessions
import TestSupport
import Testing

/// What the conformance suite does not ask of many tasks, cancelled ones and closed stores.
@Suite("many tasks")
struct ConcurrencyTests {
    @Test("saves of many tasks are numbered, each once", arguments: Subject.all)
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

    @Test("a cancelled task opens nothing", arguments: Subject.all)
    func cancelled(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await errorCode { _ = try await subject.open(folder) }
        }
        #expect(await task.value == .cancelled)
        #expect(try Tree(folder.path).entries.isEmpty)
    }

    @Test("a closed store says so and stays as it is, whatever is called", arguments: Subject.all)
    func closed(subject: Subject) async throws {
        let folder = TemporaryFolder()
        let store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 2))
        try await store.close()
        let before = try Tree(folder.path)
        let codes = [
            await errorCode { _ = try await store.restore(Sample.window, generation: .previous) },
            await errorCode { _ = try await store.save(Sample.window(tabs: 5)) },
            await errorCode { try await store.deleteIncognito() },
            await errorCode { _ = try await store.check() },
            await errorCode { _ = try await store.repair() },
        ]
        #expect(codes.allSatisfy { $0 == .closed })
        #expect(try Tree(folder.path) == before)
    }
}
