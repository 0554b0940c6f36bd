import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import Synchronization
import TestSupport

/// Stores that something happens to, as a whole, while a reader is opened or a backup made.
struct ChangingStoreTests {
    /// What happens to the store.
    enum Event: String, CaseIterable {
        case save, erase, repair, reopen, remove, replace

        /// Whether the store and what it holds stay.
        var keepsContent: Bool { self != .remove && self != .replace }
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

        func save(_ number: Int, _ durability: Durability = .powerLoss) throws {
            try open?.saveBlocking(Sample.step(number), durability: durability)
        }

        func close() throws {
            try open?.closeBlocking()
            store.withLock { $0 = nil }
        }

        func perform(_ event: Event) throws {
            let configuration = StorageConfiguration(location: fixture.location)
            switch event {
            case .save: try save(31)
            case .erase: try open?.eraseBlocking(.removedData)
            case .repair: try open?.checkBlocking(.repair)
            case .reopen:
                try close()
                let new = try fixture.own()
                store.withLock { $0 = new }
            case .remove, .replace:
                try close()
                try OrderedSessionStorage.remove(configuration, engine: fixture.engine)
                guard event == .replace else { return }
                let others = TestedEngine.withDirectory.filter {
                    $0.backend.name != fixture.engine.name
                }
                let other = others.first ?? .directory
                let new = try OrderedSessionStorage(opening: configuration, engine: other.engine)
                store.withLock { $0 = new }
            }
        }
    }

    @Test(
        "Whatever happens to a store at any step, a reader has a saved state or says what is there",
        arguments: TestedEngine.withDirectory, Event.allCases)
    func anyStepOfAReader(tested: TestedEngine, event: Event) async throws {
        try await tryEachStep(tested, event, stride: TestRun.amount(9, nightly: 1)) {
            await self.open($0, $1)
        }
    }

    @Test(
        "Whatever happens to a store at any step, a backup is whole or the one before stays",
        arguments: TestedEngine.withDirectory, Event.allCases)
    func anyStepOfABackup(tested: TestedEngine, event: Event) async throws {
        try await tryEachStep(tested, event, stride: TestRun.amount(23, nightly: 1)) {
            try await self.backUp($0, $1)
        }
    }

    /// Does the work at a store to which the event happens at one step, then at a later one, until the
    /// event comes too late. The owner of the store loses nothing.
    ///
    /// - Parameter work: returns the saved state that it found, or the code of its error.
    private func tryEachStep(
        _ tested: TestedEngine, _ event: Event, stride: Int,
        _ work: (ReaderFixture, Steps) async throws -> String
    ) async throws {
        var outcomes: [String: Int] = [:]
        var step = 1
        // waits: for no more turns than the work has operations
        while true {
            let fixture = try ReaderFixture(tested.engine)
            let owner = try Owner(fixture)
            for number in 1...29 { try owner.save(number, .processCrash) }
            try owner.save(30)
            let failure = Mutex<(any Error)?>(nil)
            let steps = Steps { [step] number in
                guard number == step else { return }
                do { try owner.perform(event) } catch { failure.withLock { $0 = error } }
            }
            let outcome = try await work(fixture, steps)
            if let failure = failure.withLock({ $0 }) {
                recordIssue("step \(step): the owner failed: \(failure)")
            }
            outcomes[outcome, default: 0] += 1
            expect(allowed(event).contains(outcome), "step \(step): \(outcome)")
            try owner.close()
            expect(try fixture.copies().isEmpty)
            let isTooLate = steps.count < step
            if event.keepsContent {
                let again = try fixture.own()
                let last = event == .save && !isTooLate ? 31 : 30
                expect(try await Sample.lastStep(in: again) == last, "step \(step)")
                expect(try await again.check().isHealthy, "step \(step)")
                try await again.close()
            }
            if isTooLate { break }
            step += stride
        }
        expect(outcomes.values.reduce(0, +) > 5)
    }

    private func allowed(_ event: Event) -> [String] {
        switch event {
        case .save: ["30", "31"]
        case .erase, .repair, .reopen: ["30"]
        case .remove: ["30", "notFound"]
        // The new store is another backend's.
        case .replace: ["30", "notFound", "incompatibleFormat"]
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

    /// Backs up to where a backup is. It stays as it is unless the new one replaces it.
    private func backUp(_ fixture: ReaderFixture, _ steps: Steps) async throws -> String {
        let configuration = StorageConfiguration(location: fixture.location)
        let (path, engine) = (fixture.folder.file("backup"), fixture.engine)
        let earlier = try OrderedSessionStorage.backUp(
            configuration, engine: engine, to: path, on: fixture.files)
        let outcome: String
        do {
            let new = try OrderedSessionStorage.backUp(
                configuration, engine: engine, to: path,
                on: SteppedFileSystem(fixture.files, steps))
            expect(try StoreBackup.found(at: path) == new && new != earlier)
            outcome = "\(try await lastStep(of: path, engine))"
        } catch let error as StorageError {
            outcome = "\(error.code)"
            expect(try StoreBackup.found(at: path) == earlier)
            expect(try await lastStep(of: path, engine) == 30)
        }
        let names = try FileSystem.contents(of: fixture.folder.path)
        expect(Set(names).subtracting(["profile", "temporary"]), is: ["backup"])
        return outcome
    }

    private func lastStep(of backup: String, _ engine: any FileEngine) async throws -> Int {
        let store = try OrderedSessionStorage(
            opening: StorageConfiguration(
                location: backup, options: ["access": "readOnly", "create": false]),
            engine: engine)
        let step = try await Sample.lastStep(in: store)
        try await store.close()
        return step
    }
}
