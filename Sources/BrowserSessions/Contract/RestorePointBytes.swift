/// What restore points take in a store beside the present state.
public struct RestorePointBytes: Hashable, Sendable {
    /// The bytes of all records and states that only restore points keep.
    public var all: Int
    /// The bytes that go when this point alone is released. What several points keep is in none of these: it
    /// goes with the last of them.
    public var released: [RestorePointID: Int]

    /// What no points take.
    public static let none = RestorePointBytes(all: 0, released: [:])

    /// Creates a value from the bytes of all points, and of each alone.
    public init(all: Int, released: [RestorePointID: Int]) {
        self.all = all
        self.released = released
    }
}

extension RestorePointBytes {
    /// Adds up what differs between versions of a store.
    struct Counter {
        private struct Value: Hashable {
            var item: StorageError.Subject
            var bytes: [UInt8]
        }

        /// The points that have a value; `nil` stands for the present state.
        private var owners: [Value: Set<RestorePointID?>] = [:]

        /// Adds what a point has; `nil` for the present state.
        mutating func add(_ content: [StorageError.Subject: [UInt8]], of point: RestorePointID?) {
            for (item, bytes) in content {
                owners[Value(item: item, bytes: bytes), default: []].insert(point)
            }
        }

        var bytes: RestorePointBytes {
            var found = RestorePointBytes.none
            for (value, points) in owners where !points.contains(nil) {
                found.all += value.bytes.count
                if points.count == 1, let point = points.first ?? nil {
                    found.released[point, default: 0] += value.bytes.count
                }
            }
            return found
        }
    }
}
