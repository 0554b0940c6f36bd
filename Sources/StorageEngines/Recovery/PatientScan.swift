import BrowserSessions

/// Visits what can be read of a store that throws `StorageError.Code.corrupted` somewhere, on both sides of
/// such a place.
///
/// Behind it the records are looked for by ever longer beginnings of keys, so that of a tree of pages no more
/// is left out than what a damaged page led to. A record may come several times.
struct PatientScan {
    private let store: any OrderedByteStore
    private var looks = 0
    private var firstMessage: String?

    /// Enough for a damaged place at the longest key, and for several at usual ones.
    private static let mostLooks = 1 << 15

    init(of store: any OrderedByteStore) { self.store = store }

    /// Returns notes.
    mutating func visitAll(_ visit: RecordVisitor) throws -> [String] {
        var notes: [String] = []
        for space in KeySpace.allCases {
            (looks, firstMessage) = (0, nil)
            if try !look(space, [], visit) { try divide(space, [], visit) }
            if let firstMessage { notes.append("not everything could be read: \(firstMessage)") }
        }
        return notes
    }

    /// Visits the records below a beginning; `false` if that ended early.
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

    /// Looks below each longer beginning. Of those that cannot be read only the last before one that can
    /// be is divided further: the others lie within the damage, as far as one can tell.
    private mutating func divide(
        _ space: KeySpace, _ prefix: [UInt8], _ visit: RecordVisitor
    ) throws {
        guard prefix.count < EngineLimits.keyBytes else { return }
        var borders: [UInt8] = []
        for byte in UInt8.min...UInt8.max {
            guard looks < Self.mostLooks else { return }
            if try look(space, prefix + [byte], visit) { continue }
            if borders.last == byte &- 1, byte > 0 { borders.removeLast() }
            borders.append(byte)
        }
        for byte in borders { try divide(space, prefix + [byte], visit) }
    }
}
