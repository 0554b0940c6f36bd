import Foundation

/// Values by keys, in the order of the keys' bytes.
struct SortedTable {
    private var keys: [[UInt8]] = []
    private var values: [[UInt8]: [UInt8]] = [:]

    subscript(key: [UInt8]) -> [UInt8]? {
        get { values[key] }
        set {
            let isThere = values[key] != nil
            values[key] = newValue
            switch (isThere, newValue != nil) {
            case (false, true): keys.insert(key, at: place(of: key))
            case (true, false): keys.remove(at: place(of: key))
            default: break
            }
        }
    }

    func records(beginningWith prefix: [UInt8]) -> some Sequence<(key: [UInt8], value: [UInt8])> {
        keys[place(of: prefix)...].lazy.prefix { $0.starts(with: prefix) }
            .map { (key: $0, value: values[$0] ?? []) }
    }

    /// The place of the key, or of the first one behind it.
    private func place(of key: [UInt8]) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(keys[middle], key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let order = memcmp(left, right, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
    }
}
