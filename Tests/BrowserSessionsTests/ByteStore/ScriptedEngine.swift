import BrowserSessions
import StorageEngines
import Synchronization

/// The engine in memory with a journal of what the core asks of it, and trouble on demand.
final class ScriptedEngine: SalvagingFileEngine {
    struct Journal: Equatable {
        var opens = 0
        var salvages = 0
        var reads = 0
        var scans = 0
        var writes: [Write] = []
        var syncs = 0
    }

    struct Write: Equatable {
        var operations: Int
        var bytes: Int
        var isDurable: Bool
    }

    /// What goes wrong, each once.
    struct Trouble {
        var opening: (any Error)?
        var writing: (any Error)?
        var scanning: (any Error)?
        /// How many writes succeed before.
        var writesBefore = 0
        var findings: [String] = []
        /// Looks at the surroundings of the next write, before it.
        var beforeWriting: (@Sendable () -> Void)?
        /// Comes before the next scan.
        var beforeScanning: (@Sendable () -> Void)?
    }

    private struct State {
        var journal = Journal()
        var trouble = Trouble()
    }

    let base = MemoryFileEngine()
    private let state = Mutex(State())
    var name: String { base.name }
    var formatVersion: Int { base.formatVersion }
    var abilities: EngineAbilities { base.abilities }

    /// What was asked since the last time.
    func takeJournal() -> Journal {
        state.withLock { state in
            defer { state.journal = Journal() }
            return state.journal
        }
    }

    func expect(_ trouble: sending Trouble) {
        state.withLock { $0.trouble = trouble }
    }

    fileprivate func note(_ edit: (inout Journal) -> Void) {
        state.withLock { edit(&$0.journal) }
    }

    fileprivate func failWriteIfAsked() throws {
        let look = state.withLock { state in
            defer { state.trouble.beforeWriting = nil }
            return state.trouble.beforeWriting
        }
        look?()
        let error = state.withLock { state -> (any Error)? in
            guard let error = state.trouble.writing else { return nil }
            state.trouble.writesBefore -= 1
            guard state.trouble.writesBefore < 0 else { return nil }
            state.trouble.writing = nil
            return error
        }
        if let error { throw error }
    }

    fileprivate func waitBeforeScanning() {
        let wait = state.withLock { state in
            defer { state.trouble.beforeScanning = nil }
            return state.trouble.beforeScanning
        }
        wait?()
    }

    fileprivate func takeScanningTrouble() -> (any Error)? {
        state.withLock { state in
            defer { state.trouble.scanning = nil }
            return state.trouble.scanning
        }
    }

    fileprivate func takeFindings() -> [String] {
        state.withLock { state in
            defer { state.trouble.findings = [] }
            return state.trouble.findings
        }
    }

    func recognizes(_ names: [String]) -> Bool { true }

    func open(_ request: OpenRequest) throws -> any OrderedByteStore {
        note { $0.opens += 1 }
        let error = state.withLock { state in
            defer { state.trouble.opening = nil }
            return state.trouble.opening
        }
        if let error { throw error }
        return ScriptedStore(self, try base.open(request))
    }

    func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
        note { $0.salvages += 1 }
        return try base.salvage(directory, visit)
    }
}

private final class ScriptedStore: OrderedByteStore {
    private let engine: ScriptedEngine
    private let base: any OrderedByteStore

    init(_ engine: ScriptedEngine, _ base: any OrderedByteStore) {
        self.engine = engine
        self.base = base
    }

    func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
        engine.note { $0.reads += 1 }
        return try base.value(of: key, in: space)
    }

    func scan(
        _ space: KeySpace,
        prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        engine.note { $0.scans += 1 }
        engine.waitBeforeScanning()
        try base.scan(space, prefix: prefix, visit)
        if let error = engine.takeScanningTrouble() { throw error }
    }

    func write(_ batch: ByteBatch, durably: Bool) throws {
        try engine.failWriteIfAsked()
        let bytes = batch.operations.reduce(0) { sum, operation in
            switch operation {
            case .put(_, let key, let value): sum + key.count + value.count
            case .remove(_, let key): sum + key.count
            }
        }
        engine.note {
            $0.writes.append(
                ScriptedEngine.Write(
                    operations: batch.operations.count, bytes: bytes, isDurable: durably))
        }
        try base.write(batch, durably: durably)
    }

    func sync() throws {
        engine.note { $0.syncs += 1 }
        try base.sync()
    }

    var wantsMaintenance: Bool { base.wantsMaintenance }
    func maintain() throws { try base.maintain() }
    func verify() throws -> [String] { engine.takeFindings() }
    var openingNotes: [String] { base.openingNotes }
    func close() throws { try base.close() }
}
