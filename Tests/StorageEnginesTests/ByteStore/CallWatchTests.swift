import Dispatch
import Expectations

@testable import BrowserSessions
@testable import StorageEngines

/// Calls of engines that hang are interrupted.
@Suite(.timeLimit(.minutes(10))) struct CallWatchTests {
    @Test("One call after another, and one within another", arguments: [false, true])
    func interrupted(isNested: Bool) {
        let watch = CallWatch(timeout: .milliseconds(4))
        for _ in 1...3 {
            let interrupted = DispatchSemaphore(value: 0)
            watch.use { interrupted.signal() }
            watch.watch {
                if isNested { watch.watch { interrupted.wait() } } else { interrupted.wait() }
            }
        }
    }

    @Test("A call on a connection that was replaced is not ended by the old one's interruption")
    func replaced() {
        let watch = CallWatch(timeout: .milliseconds(4))
        let (old, new) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        watch.use { old.signal() }
        watch.watch {}
        watch.use { new.signal() }
        watch.watch { new.wait() }
        // waits: not at all
        expect(old.wait(timeout: .now()), is: .timedOut)
    }
}
