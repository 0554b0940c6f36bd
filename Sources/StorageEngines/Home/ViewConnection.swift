import BrowserSessions

/// What is only looked at, for all that works with a store it has: changes stay in memory, and go with this.
///
/// Little is changed: what opening finds damaged is taken out. So the records of a view are asked of the
/// engine, and only those that were changed are here.
final class ViewConnection: EngineConnection {
    private struct Place: Hashable {
        var partition: String
        var space: KeySpace
    }

    private let base: any EngineView
    /// By key; `nil` for a record that was removed.
    private var changed: [Place: [[UInt8]: [UInt8]?]] = [:]
    /// Partitions that are gone here, whatever the view has of them.
    private var destroyed: Set<String> = []

    init(_ base: any EngineView) { self.base = base }

    var interrupt: @Sendable () -> Void { base.interrupt }

    func close() { base.close() }

    func value(of key: [UInt8], in space: KeySpace, of partition: String) throws -> [UInt8]? {
        if let value = changed[Place(partition: partition, space: space)]?[key] { return value }
        if destroyed.contains(partition) { return nil }
        return try base.value(of: key, in: space, of: partition)
    }

    func scan(
        _ space: KeySpace, of partition: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let edits = changed[Place(partition: partition, space: space)] ?? [:]
        var own = edits.compactMap { key, value in
            value.flatMap { key.starts(with: prefix) ? (key: key, value: $0) : nil }
        }
        // The last first: they are taken from the end.
        own.sort { $1.key.lexicographicallyPrecedes($0.key) }
        func visitOwn(before key: UnsafeRawBufferPointer?) throws {
            while let next = own.last, key.map({ next.key.lexicographicallyPrecedes($0) }) ?? true {
                own.removeLast()
                try next.key.withUnsafeBytes { key in
                    try next.value.withUnsafeBytes { try visit(key, $0) }
                }
            }
        }
        if !destroyed.contains(partition) {
            try base.scan(space, of: partition, prefix: prefix) { key, value in
                try visitOwn(before: key)
                if edits.isEmpty || edits[[UInt8](key)] == nil { try visit(key, value) }
            }
        }
        try visitOwn(before: nil)
    }

    func write(_ batch: ByteBatch, to partition: String, durably: Bool) {
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value):
                changed[Place(partition: partition, space: space), default: [:]][key] = .some(value)
            case .remove(let space, let key):
                changed[Place(partition: partition, space: space), default: [:]]
                    .updateValue(nil, forKey: key)
            }
        }
    }

    func sync() {}

    func destroy(_ partition: String) {
        destroyed.insert(partition)
        for space in KeySpace.allCases {
            changed[Place(partition: partition, space: space)] = nil
        }
    }
}
