import BrowserSessions
import Expectations
import SessionInterop
import SessionSamples
import SessionTesting

@Suite("Copies of stores")
struct SessionCopyTests {
    private let window = SessionID(window: WindowID(high: 5, low: 5))

    private func tab(_ number: UInt64) -> TabID { TabID(high: 9, low: number) }

    private func key(_ number: UInt64, _ name: StateName = .navigation) -> TabStateKey {
        TabStateKey(tab: tab(number), name: name, in: window)
    }

    /// A window with more tabs than are read at once, each with two states, or the first of them.
    private func changes(tabs: UInt64 = 300, withStates: UInt64 = .max) -> SessionChanges {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "window"), for: window)
        for (number, place) in OrderKey.evenlySpaced(count: Int(tabs)).enumerated() {
            let number = UInt64(number)
            changes.put(
                TabMetadata(id: tab(number), place: place, url: "https://example.org/\(number)"),
                in: window)
            guard number < withStates else { continue }
            changes.put([1, UInt8(number % 256)], for: key(number))
            changes.put([2, UInt8(number % 256)], for: key(number, .native))
        }
        return changes
    }

    @Test("The source is read once")
    func once() async throws {
        let (source, target) = (FaultyStorage(), MemoryStorage())
        _ = try await source.save(changes(), durability: .memory)
        let result = try await SessionCopy(from: source, to: target).run()
        expect(result.sessions == 1 && result.tabs == 300 && result.states == 600)
        expect(source.calls(of: .restore).flatMap(\.sessionIDs), is: [window])
        let states = source.calls(of: .states).flatMap(\.keys)
        expect(states.count == 600 && Set(states).count == 600)
        let digests = try await [
            ContentDigest.compute(of: source), ContentDigest.compute(of: target),
        ]
        expect(digests, is: [result.digest, result.digest])
    }

    @Test("What a copy has already is compared, and the rest is copied")
    func goesOn() async throws {
        let (source, target) = (MemoryStorage(), MemoryStorage())
        _ = try await source.save(changes(), durability: .memory)
        _ = try await target.save(changes(withStates: 100), durability: .memory)
        let result = try await SessionCopy(from: source, to: target).run()
        expect(result.sessionsThere == 1 && result.states == 600)
        expect(try await ContentDigest.compute(of: target) == result.digest)
    }

    @Test("Another version of a state is a conflict, wherever it is", arguments: [0, 17, 299])
    func conflict(number: UInt64) async throws {
        let (source, target) = (MemoryStorage(), MemoryStorage())
        _ = try await source.save(changes(), durability: .memory)
        _ = try await target.save(changes(), durability: .memory)
        var other = SessionChanges()
        other.put([3], for: key(number))
        _ = try await target.save(other, durability: .memory)
        let error = await expect(throws: StorageError.self) {
            try await SessionCopy(from: source, to: target).run()
        }
        expect(error?.code, is: .conflict)
    }

    @Test("A state that the source has lost, and the target holds, is a conflict")
    func lost() async throws {
        let (source, target) = (DamagedStorage(damaged: [tab(7)]), MemoryStorage())
        _ = try await source.save(changes(tabs: 20), durability: .memory)
        _ = try await target.save(changes(tabs: 20), durability: .memory)
        let error = await expect(throws: StorageError.self) {
            try await SessionCopy(from: source, to: target).run(losses: { _ in })
        }
        expect(error?.code, is: .conflict)
        let empty = MemoryStorage()
        let result = try await SessionCopy(from: source, to: empty).run(losses: { _ in })
        expect(result.states, is: 38)
    }

    @Test("Errors of the target name the target")
    func target() async throws {
        let (source, target) = (MemoryStorage(), DamagedStorage(damaged: [tab(7)]))
        for store in [source as any SessionStorage, target] {
            _ = try await store.save(changes(tabs: 20), durability: .memory)
        }
        let error = await expect(throws: StorageError.self) {
            try await SessionCopy(from: source, to: target).run()
        }
        expect(error?.code, is: .corrupted)
        expect(error?.message, is: "the target: state: a state is damaged")
    }
}
