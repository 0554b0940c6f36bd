import Dispatch
import Expectations
import Synchronization

@testable import StorageEngines

/// Stores share threads without waiting for each other longer than they must.
struct StoreExecutorTests {
    /// How many calls are made at the moment, and the most there ever were.
    private final class Crowd: Sendable {
        private let state = Mutex((now: 0, most: 0, order: [Int]()))

        func visit(_ number: Int, _ work: () -> Void) {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
                state.order.append(number)
            }
            work()
            state.withLock { $0.now -= 1 }
        }

        var most: Int { state.withLock(\.most) }
        var order: [Int] { state.withLock(\.order) }
    }

    @Test("A question that was given up leaves nothing behind a call that hangs")
    func givenUp() {
        let line = StoreLine(on: .unlimited)
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        line.add {
            hasBegun.signal()
            mayEnd.wait()
        }
        hasBegun.wait()
        for _ in 0..<3 {
            expect(line.wait(.milliseconds(1), for: { 7 }) == nil)
        }
        expect(line.waiting, is: 0)
        mayEnd.signal()
        expect((try? line.wait(.seconds(60), for: { 8 })?.get()), is: 8)
    }

    @Test("Many lines take turns on few threads", arguments: [1, 3])
    func width(width: Int) {
        let (crowd, executor, done) = (Crowd(), StoreExecutor(width: width), DispatchGroup())
        let lines = (0..<50).map { _ in StoreLine(on: executor) }
        for round in 0..<4 {
            for line in lines {
                done.enter()
                line.add {
                    crowd.visit(round) {}
                    done.leave()
                }
            }
        }
        done.wait()
        expect(crowd.order.count, is: 200)
        expect(crowd.most <= width)
    }

    @Test("Calls of one line come in their order and never beside each other")
    func order() {
        let (crowd, done) = (Crowd(), DispatchGroup())
        let line = StoreLine(on: .unlimited)
        for number in 0..<500 {
            done.enter()
            line.add {
                crowd.visit(number) {}
                done.leave()
            }
        }
        done.wait()
        expect(crowd.order, is: Array(0..<500))
        expect(crowd.most, is: 1)
    }

    @Test("A line that hangs holds up no other, as long as there is a thread")
    func hanging() {
        let executor = StoreExecutor(width: 2)
        let (hanging, other) = (StoreLine(on: executor), StoreLine(on: executor))
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchGroup())
        done.enter()
        hanging.add {
            gate.wait()
            done.leave()
        }
        let passed = DispatchSemaphore(value: 0)
        for _ in 0..<10 { other.add { passed.signal() } }
        for _ in 0..<10 { passed.wait() }
        gate.signal()
        done.wait()
    }
}
