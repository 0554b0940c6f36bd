import BrowserSessions
import StorageEngines

/// A store of a ``SharedMedium`` as seen by one of its owners.
final class SharedConnection: EngineConnection {
    private let medium: SharedMedium
    private let location: String
    private let owner: CommitID
    private let epoch: Int
    private let generation: Int
    private let line: MemoryLine?

    init(
        _ medium: SharedMedium, _ request: ConnectionRequest,
        _ taken: (epoch: Int, generation: Int), _ line: MemoryLine?
    ) {
        (self.medium, self.location, self.owner) = (medium, request.location, request.owner)
        (epoch, generation, self.line) = (taken.epoch, taken.generation, line)
    }

    /// Sends a request to the medium, over the wire if there is one.
    private func ask<Answer: Sendable>(
        changes: Bool = false,
        _ work: @escaping @Sendable (SharedMedium, String, Writer) throws -> Answer
    ) throws -> Answer {
        let (medium, location) = (medium, location)
        let writer = Writer(owner: owner, epoch: epoch, generation: generation, line: line)
        let call = { @Sendable in try work(medium, location, writer) }
        guard let line else { return try call() }
        do {
            return try line.ask(changes: changes, call)
        } catch let error as StorageError where medium.fault == .deniesLostWrites {
            var other = error
            other.effect = .notApplied
            throw other
        }
    }

    func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]? {
        try ask { medium, location, writer in
            try medium.table(space, namespace, of: location, writer)[key]
        }
    }

    func scan(
        _ space: KeySpace, of namespace: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let records = try ask { medium, location, writer in
            try medium.table(space, namespace, of: location, writer)
        }
        for (key, value) in records where key.starts(with: prefix) {
            do {
                try line?.receive()
            } catch {
                if medium.fault == .endsScansAtALoss { return }
                if medium.fault == .endsPrefixesAtALoss, !prefix.isEmpty { return }
                throw error
            }
            try key.withUnsafeBytes { key in try value.withUnsafeBytes { try visit(key, $0) } }
        }
    }

    func write(_ batch: ByteBatch, to namespace: String, durably: Bool) throws {
        try ask(changes: true) { medium, location, writer in
            try medium.write(batch, to: namespace, of: location, writer)
        }
    }

    var interrupt: @Sendable () -> Void {
        guard let line, medium.fault != .waitsForEver else { return {} }
        return { line.interrupt() }
    }

    func sync() throws {
        try ask { medium, location, writer in
            try medium.change(location, writer) { _ in }
        }
    }

    func destroy(_ namespace: String) throws {
        try ask(changes: true) { medium, location, writer in
            try medium.change(location, writer) { $0.namespaces[namespace] = nil }
        }
    }

    func close() {
        let (epoch, owner) = (epoch, owner)
        try? ask { medium, location, _ in
            medium.change(location) { store in
                guard store.epoch == epoch || medium.fault == .closesForAnybody else { return }
                (store.holder, store.isTaken) = (nil, false)
            }
        }
        if line?.isLost == true { medium.letGo(owner, of: location) }
    }
}
