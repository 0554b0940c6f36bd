import SessionSamples
import Synchronization
import Testing

@testable import BrowserSessions
@testable import StorageEngines

/// Earlier versions of sessions have names, and a later version of the package may keep more of them.
@Suite struct KeptGenerationTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let time = Mutex(Timestamp(microseconds: 1))

        func set(_ microseconds: Int64) {
            time.withLock { $0 = Timestamp(microseconds: microseconds) }
        }

        var environment: StoreEnvironment {
            StoreEnvironment(now: { self.time.withLock(\.self) }, random: { 7 })
        }
    }

    private let folder: TemporaryDirectory
    private let clock = Clock()
    private let engine = MemoryFileEngine()
    private let window: SessionSnapshot

    init() throws {
        folder = try TemporaryDirectory()
        var sampler = SessionSampler(seed: 31)
        window = sampler.window(tabs: 3, state: .navigationOnly)
    }

    private func open() throws -> OrderedSessionStorage {
        try OrderedSessionStorage(
            opening: StorageConfiguration(location: folder.store), engine: engine,
            in: clock.environment)
    }

    /// Opens at that time, saves the window with another title, and closes; returns what is kept.
    private func live(at time: Int64, title: String) throws -> [KeptGeneration] {
        clock.set(time)
        let store = try open()
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: title), for: window.id)
        _ = try store.saveBlocking(changes)
        defer { try? store.closeBlocking() }
        return try store.generationsBlocking()
    }

    @Test func theTimeIsThatOfTheOpeningThatTookIt() throws {
        #expect(try live(at: 10, title: "one") == [])
        let second = try live(at: 20, title: "two")
        #expect(second == [KeptGeneration(id: GenerationID(rawValue: 1), takenAt: .init(20))])
        let third = try live(at: 30, title: "three")
        #expect(third == [KeptGeneration(id: GenerationID(rawValue: 2), takenAt: .init(30))])
        // Nothing changed since: the sessions are still as they were then.
        clock.set(40)
        let store = try open()
        try store.closeBlocking()
        clock.set(50)
        let again = try open()
        #expect(try again.generationsBlocking().map(\.takenAt) == [.init(40)])
        let kept = try again.generationsBlocking()[0].id
        #expect(
            try again.restoreBlocking([window.id], generation: .kept(kept)).first?.attributes.title
                == "three")
    }

    @Test(
        "Generations of a later version are kept, listed and restored, with the state of their tabs"
    )
    func pinned() throws {
        let store = try open()
        _ = try store.saveBlocking(SessionChanges(saving: window))
        try store.closeBlocking()
        try pin(5, as: KeptGeneration(id: GenerationID(rawValue: 99), takenAt: .init(5)))
        for _ in 1...3 {
            let store = try open()
            if let tab = try store.restoreBlocking([window.id]).first?.tabs.first {
                var changes = SessionChanges()
                changes.remove(tab.id, from: window.id)
                _ = try store.saveBlocking(changes)
            }
            #expect(try store.checkBlocking().losses == [])
            let kept = try store.generationsBlocking()
            #expect(kept.first?.id == GenerationID(rawValue: 99))
            let found = try store.restoreBlocking(
                [window.id], generation: .kept(GenerationID(rawValue: 99)))
            #expect(found.first?.tabs.map(\.id) == window.tabs.map(\.metadata.id))
            #expect(found.first?.provenance == .previousGeneration)
            for tab in window.tabs {
                let key = TabStateKey(tab: tab.metadata.id, name: .navigation, in: window.id)
                #expect(try store.stateBlocking(of: [key]).count == 1)
            }
            try store.closeBlocking()
        }
    }

    /// Changes a bit of those records that are meant by a key.
    private func harm(bit: UInt8 = 1, _ isMeant: (RecordKey) -> Bool) throws {
        let records = try engine.records(in: PosixDirectory(opening: "\(folder.store)/regular"))
        records.bytes.withLock { bytes in
            for key in bytes[.metadata, default: .init()].keys
            where key.withUnsafeBytes({ RecordKey($0) }).map(isMeant) == true {
                bytes[.metadata]?[key]?[0] ^= bit
            }
        }
    }

    private func earlier(_ store: OrderedSessionStorage) throws -> RestoredSession? {
        try store.restoreBlocking([window.id], generation: .previous).first
    }

    @Test("An earlier version that lost something says so for as long as it is needed")
    func harmedWithTheCurrentOne() throws {
        for number in 1...2 {
            let store = try open()
            if number == 1 { _ = try store.saveBlocking(SessionChanges(saving: window)) }
            try store.closeBlocking()
        }
        let lost = window.tabs[0].metadata.id
        try harm { key in
            switch key {
            case .tab(_, let tab), .kept(_, .tab(_, let tab)): tab == lost
            default: false
            }
        }
        for _ in 1...2 {
            let store = try open()
            let found = try #require(try earlier(store))
            #expect(found.tabs.count == 2 && found.provenance == .previousGeneration)
            #expect(found.losses.map(\.tab) == [lost])
            #expect(try store.checkBlocking().notes.contains { $0.contains("earlier generation") })
            try store.closeBlocking()
        }
        // "Nothing there" and "cannot be read" are not the same.
        try harm(bit: 2) { if case .kept = $0 { true } else { false } }
        let store = try open()
        let nothing = try #require(try earlier(store))
        #expect(nothing.tabs.isEmpty && nothing.losses.count >= 3)
        _ = try store.repairBlocking()
        try store.closeBlocking()
        let next = try open()
        #expect(try earlier(next)?.tabs.count == 2 && earlier(next)?.losses == [])
        try next.closeBlocking()
    }

    /// Copies all records of the sessions, as a later version would that pins them.
    private func pin(_ number: UInt32, as kept: KeptGeneration) throws {
        let records = try engine.records(
            in: PosixDirectory(opening: "\(folder.store)/regular"))
        let partition = Partition(
            .regular, records, try PartitionLoader(records))
        var batch = partition.upkeep()
        try batch.putGeneration(kept, number)
        for (key, value) in records.bytes.withLock({ $0[.metadata] ?? .init() }) {
            guard let parsed = key.withUnsafeBytes({ RecordKey($0) }) else { continue }
            switch parsed {
            case .session, .tab:
                try records.bytes.withLock { bytes in
                    bytes[.metadata]?[RecordKey.kept(number, parsed).bytes] = value
                    let mark = try key.withUnsafeBytes { key in
                        try value.withUnsafeBytes {
                            try RecordFrame($0, key: key).fingerprint
                        }
                    }
                    partition.index.addPinned(mark)
                }
            default: continue
            }
        }
        try partition.write(batch, durably: true)
    }
}

extension Timestamp {
    fileprivate init(_ microseconds: Int64) { self.init(microseconds: microseconds) }
}
