import BrowserSessions

/// Visits what can be read of a store that throws `StorageError.Code.corrupted` somewhere, before
/// and after the damage.
///
/// After the damage it searches by longer and longer key prefixes, so that in a tree of pages it
/// omits only what a damaged page led to. It may visit a record several times.
struct DamageTolerantScan {
    private let store: any OrderedByteStore
    private var looks = 0
    private var firstMessage: String?

    /// Enough attempts for damage at the longest key, and for several damaged places at usual keys.
    private static let maximumAttempts = 1 << 15

    init(of store: any OrderedByteStore) { self.store = store }

    /// Visits all readable records. Returns notes.
    mutating func visitAll(_ visit: RecordVisitor) throws -> [String] {
        var notes: [String] = []
        for space in KeySpace.allCases {
            (looks, firstMessage) = (0, nil)
            if try !look(space, [], visit) { try divide(space, [], visit) }
            if let firstMessage { notes.append("not everything could be read: \(firstMessage)") }
        }
        return notes
    }

    /// Visits the records with a prefix; returns `false` if that ended early.
    private mutating func look(_ space: KeySpace, _ prefix: [UInt8], _ visit: RecordVisitor) throws
        -> Bool
    {
        looks += 1
        do {
            try store.scan(space, prefix: prefix) { try visit(space, $0, $1) }
            return true
        } catch let error as StorageError where error.code == .corrupted {
            firstMessage = firstMessage ?? error.message
            return false
        }
    }

    /// Scans each longer prefix. Of the unreadable ones, it divides only the last one before a
    /// readable one: the others appear to be inside the damage.
    private mutating func divide(
        _ space: KeySpace, _ prefix: [UInt8], _ visit: RecordVisitor
    ) throws {
        guard prefix.count < EngineLimits.keyBytes else { return }
        var borders: [UInt8] = []
        for byte in UInt8.min...UInt8.max {
            guard looks < Self.maximumAttempts else { return }
            if try look(space, prefix + [byte], visit) { continue }
            if borders.last == byte &- 1, byte > 0 { borders.removeLast() }
            borders.append(byte)
        }
        for byte in borders { try divide(space, prefix + [byte], visit) }
    }
}
