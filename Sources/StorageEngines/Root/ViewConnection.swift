import BrowserSessions

/// A connection over a view, for code that needs one. Changes stay in its memory only.
///
/// Few changes are made: opening removes damaged records. So the engine is asked for a view's
/// records, and only changed ones are here.
final class ViewConnection: EngineConnection {
    private struct Place: Hashable {
        var namespace: String
        var space: KeySpace
    }

    private let base: any EngineView
    /// By key; `nil` for a removed record.
    private var changed: [Place: [[UInt8]: [UInt8]?]] = [:]
    /// Namespaces that are destroyed here, whatever the view has of them.
    private var destroyed: Set<String> = []

    init(_ base: any EngineView) { self.base = base }

    var interrupt: @Sendable () -> Void { base.interrupt }

    func close() { base.close() }

    func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]? {
        if let value = changed[Place(namespace: namespace, space: space)]?[key] { return value }
        if destroyed.contains(namespace) { return nil }
        return try base.value(of: key, in: space, of: namespace)
    }

    func scan(
        _ space: KeySpace, of namespace: String, prefix: [UInt8],
        _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let edits = changed[Place(namespace: namespace, space: space)] ?? [:]
        var own = edits.compactMap { key, value in
            value.flatMap { key.starts(with: prefix) ? (key: key, value: $0) : nil }
        }
        // In descending order: they are taken from the end.
        own.sort { $1.key.lexicographicallyPrecedes($0.key) }
        func visitOwn(before key: UnsafeRawBufferPointer?) throws {
            while let next = own.last, key.map({ next.key.lexicographicallyPrecedes($0) }) ?? true {
                own.removeLast()
                try next.key.withUnsafeBytes { key in
                    try next.value.withUnsafeBytes { try visit(key, $0) }
                }
            }
        }
        if !destroyed.contains(namespace) {
            try base.scan(space, of: namespace, prefix: prefix) { key, value in
                try visitOwn(before: key)
                if edits.isEmpty || edits[[UInt8](key)] == nil { try visit(key, value) }
            }
        }
        try visitOwn(before: nil)
    }

    func write(_ batch: ByteBatch, to namespace: String, durably: Bool) {
        for operation in batch.operations {
            switch operation {
            case .put(let space, let key, let value):
                changed[Place(namespace: namespace, space: space), default: [:]][key] = .some(value)
            case .remove(let space, let key):
                changed[Place(namespace: namespace, space: space), default: [:]]
                    .updateValue(nil, forKey: key)
            }
        }
    }

    func sync() {}

    func destroy(_ namespace: String) {
        destroyed.insert(namespace)
        for space in KeySpace.allCases {
            changed[Place(namespace: namespace, space: space)] = nil
        }
    }
}
