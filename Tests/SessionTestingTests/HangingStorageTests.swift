import BrowserSessions
import Expectations
import SessionSamples
import SessionTesting

@Suite("A storage that hangs", .timeLimit(.minutes(10)))
struct HangingStorageTests {
    let memory = MemoryStorage()
    let storage: FaultyStorage
    let window: SessionSnapshot
    let other: SessionSnapshot

    init() {
        storage = FaultyStorage(memory)
        var sampler = SessionSampler(seed: 1)
        window = sampler.window(tabs: 3)
        other = sampler.window(tabs: 1)
    }

    private func save() -> Task<SaveReceipt, any Error> {
        Task { try await storage.save(SessionChanges(saving: window)) }
    }

    @Test func hangingCallDoesNothingUntilItIsReleased() async throws {
        storage.hang(.save)
        let task = save()
        await storage.waitForCalls(of: .save)
        expect(storage.hangingCalls.map(\.operation), is: [.save])
        expect(memory.snapshots, is: [])
        expect(try await storage.sessions() == [])
        storage.release()
        expect(try await task.value.sequence == 1)
        expect(memory.snapshots, is: [window])
        expect(storage.hangingCalls, is: [])
    }

    @Test func cancellingAHangingCallDoesNotEndIt() async throws {
        storage.hang(.save)
        let task = save()
        await storage.waitForCalls(of: .save)
        task.cancel()
        // It comes after others that had the time to be saved one by one.
        for number in 1...100 {
            expect(try await storage.save(SessionChanges(saving: other)).sequence == number)
        }
        expect(storage.hangingCalls.count, is: 1)
        storage.release()
        expect(try await task.value.sequence == 101)
    }

    @Test func hangingCallCanFailOnceItIsReleased() async {
        storage.fail(.save, with: StorageError(.failed, "the disk is gone"))
        storage.hang(.save)
        let task = save()
        await storage.waitForCalls(of: .save)
        storage.release()
        await expect(throws: StorageError.self) { try await task.value }
        expect(memory.snapshots, is: [])
    }

    @Test func releaseLetsAllHangingCallsGoAndNoLaterOne() async throws {
        storage.hang(.save, on: .every)
        let tasks = [save(), save()]
        await storage.waitForCalls(of: .save, count: 2)
        storage.release()
        for task in tasks { _ = try await task.value }
        let late = save()
        await storage.waitForCalls(of: .save, count: 3)
        storage.forgetFaults()
        expect(storage.hangingCalls.count, is: 1)
        storage.release()
        expect(try await late.value.sequence == 3)
    }

    @Test func callsCanBeAwaitedWhenTheyBeginAndWhenTheyAreAnswered() async throws {
        storage.hang(.save)
        let begun = Task { await storage.waitForCalls(of: .save, count: 1) }
        let answered = Task {
            await storage.waitForAnswers(of: .save, count: 2)
            return memory.snapshots
        }
        let task = save()
        await begun.value
        expect(memory.snapshots, is: [])
        storage.release()
        _ = try await task.value
        _ = try await save().value
        expect(await answered.value == [window])
    }

    @Test func waitingEndsWhenItsTaskIsCancelled() async {
        let waiting = Task {
            await storage.waitForCalls(of: .save)
            await storage.waitForAnswers(of: .close)
        }
        waiting.cancel()
        await waiting.value
        expect(storage.calls, is: [])
    }
}
