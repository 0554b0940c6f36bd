import Dispatch
import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// A check may take long. A caller that no longer wants its answer need not wait for it.
struct CancelledCheckTests {
    @Test(.timeLimit(.minutes(10))) func endsBetweenTwoRecords() async throws {
        let fixture = try StoreFixture()
        var sampler = SessionSampler(seed: 7)
        try fixture.save(sampler.window(tabs: 20, state: .navigationOnly))
        let (begun, cancelled) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        fixture.engine.expect(
            .init(beforeScanning: {
                begun.continuation.finish()
                cancelled.wait()
            }))
        _ = fixture.engine.takeJournal()
        let store = fixture.store
        let code = await withTaskGroup { group in
            group.addTask {
                do throws(StorageError) {
                    _ = try await store.check()
                    return StorageError.Code?.none
                } catch { return error.code }
            }
            for await _ in begun.stream {}
            group.cancelAll()
            cancelled.signal()
            return await group.next() ?? nil
        }
        expect(code, is: .cancelled)
        expect(fixture.engine.takeJournal().reads, is: 0, "it went on to the states")
        expect(try await store.check().states == 20)
    }
}
