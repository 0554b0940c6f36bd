import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines
import Synchronization
import TestSupport
import Testing

/// Stores that something happens to, as a whole, while a reader is opened.
@Suite struct ChangingStoreTests {
    /// What happens to the store.
    enum Event: String, CaseIterable {
        case save, erase, repair, reopen, remove, replace
    }

    /// An owner that does one thing at one step.
    private final class Owner: Sendable {
        private let fixture: ReaderFixture
        private let store: Mutex<OrderedSessionStorage?>

        init(_ fixture: ReaderFixture) throws {
            self.fixture = fixture
            store = Mutex(try fixture.own())
        }

        var open: OrderedSessionStorage? { store.withLock { $0 } }

        func save(_ number: Int) throws { try open?.saveBlocking(Sample.step(number)) }

        func close() throws {
            try open?.closeBlocking()
            store.withLock { $0 = nil }
        }

        func perform(_ event: Event) throws {
            let configuration = StorageConfiguration(location: fixture.location)
            switch event {
            case .save: try save(31)
            case .erase: try open?.eraseRemovedBlocking()
            case .repair: try open?.repairBlocking()
            case .reopen:
                try close()
                let new = try fixture.own()
                store.withLock { $0 = new }
            case .remove, .replace:
                try close()
                try OrderedSessionStorage.remove(configuration, engine: fixture.subject.engine)
                guard event == .replace else { return }
                let others = Subject.all.filter { $0.backend.name != fixture.subject.backend.name }
                let other = others.first ?? fixture.subject
                let new = try OrderedSessionStorage(opening: configuration, engine: other.engine)
                store.withLock { $0 = new }
            }
        }
    }

    /// Each step is tried until the event comes too late.
    @Test(
        "Whatever happens to a store at any step, a reader has a saved state or says what is there",
        arguments: Subject.all, Event.allCases)
    func anyStep(subject: Subject, event: Event) async throws {
        let stride = TestRun.amount(5, nightly: 1)
        var outcomes: [String: Int] = [:]
        var step = 1
        // waits: for no more turns than opening a reader has operations
        while true {
            let fixture = try ReaderFixture(subject)
            let owner = try Owner(fixture)
            for number in 1...30 { try owner.save(number) }
            let failure = Mutex<(any Error)?>(nil)
            let steps = Steps { [step] number in
                guard number == step else { return }
                do { try owner.perform(event) } catch { failure.withLock { $0 = error } }
            }
            let outcome = await open(fixture, steps)
            if let failure = failure.withLock({ $0 }) {
                Issue.record("step \(step): the owner failed: \(failure)")
            }
            outcomes[outcome, default: 0] += 1
            #expect(allowed(event, subject).contains(outcome), "step \(step): \(outcome)")
            try owner.close()
            #expect(try fixture.copies().isEmpty)
            if steps.count < step { break }
            step += stride
        }
        log("\(subject.backend.name), \(event.rawValue): \(outcomes)")
        #expect(outcomes.values.reduce(0, +) > 5)
    }

    private func allowed(_ event: Event, _ subject: Subject) -> [String] {
        switch event {
        case .save: ["30", "31"]
        case .erase, .repair, .reopen: ["30"]
        case .remove: ["30", "notFound"]
        // A new store has nothing in it yet.
        case .replace:
            ["30", "notFound", "incompatibleFormat"] + (Subject.all.count == 1 ? ["0"] : [])
        }
    }

    private func open(_ fixture: ReaderFixture, _ steps: Steps) async -> String {
        do {
            let reader = try fixture.read(on: SteppedFileSystem(fixture.files, steps))
            let step = try await Sample.lastStep(in: reader)
            try await reader.close()
            return "\(step)"
        } catch let error as StorageError {
            return "\(error.code)"
        } catch { return "\(error)" }
    }
}
