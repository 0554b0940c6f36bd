/// An ascending in-memory map from bytes to bytes: a list of short sorted runs.
struct SortedTable {
    private struct Entry {
        var key: [UInt8]
        var value: [UInt8]
    }

    private static let maximumRun = 256

    /// No run is empty; the keys of a run are below those of the next.
    private var runs: [[Entry]] = []
    private(set) var count = 0
    /// The size of all keys and values in bytes.
    private(set) var bytes = 0

    subscript(key: [UInt8]) -> [UInt8]? {
        guard let place = find(key), place.isTaken else { return nil }
        return runs[place.run][place.index].value
    }

    mutating func put(_ value: [UInt8], for key: [UInt8]) {
        guard let place = find(key) else {
            runs.append([Entry(key: key, value: value)])
            count += 1
            bytes += key.count + value.count
            return
        }
        if place.isTaken {
            bytes += value.count - runs[place.run][place.index].value.count
            runs[place.run][place.index].value = value
            return
        }
        runs[place.run].insert(Entry(key: key, value: value), at: place.index)
        count += 1
        bytes += key.count + value.count
        if runs[place.run].count > Self.maximumRun { split(place.run) }
    }

    mutating func remove(_ key: [UInt8]) {
        guard let place = find(key), place.isTaken else { return }
        bytes -= key.count + runs[place.run][place.index].value.count
        count -= 1
        runs[place.run].remove(at: place.index)
        if runs[place.run].isEmpty { runs.remove(at: place.run) }
    }

    /// Visits the entries with keys that begin with the prefix, in order.
    func scan(
        prefix: [UInt8],
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard let first = find(prefix) else { return }
        var start = first.index
        for run in first.run..<runs.count {
            let goesOn = try runs[run].withUnsafeBufferPointer { entries in
                for index in start..<entries.count {
                    guard try Self.visit(entries[index], prefix, visit) else { return false }
                }
                return true
            }
            guard goesOn else { return }
            start = 0
        }
    }

    /// Returns `false` if the key does not begin with the prefix.
    @inline(__always)
    private static func visit(
        _ entry: borrowing Entry, _ prefix: [UInt8],
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> Bool {
        try entry.key.withUnsafeBytes { key in
            guard key.count >= prefix.count, key[..<prefix.count].elementsEqual(prefix) else {
                return false
            }
            try entry.value.withUnsafeBytes { try visit(key, $0) }
            return true
        }
    }

    /// The position of a key, or where it would be inserted.
    private struct Place {
        var run: Int
        var index: Int
        var isTaken: Bool
    }

    /// Returns `nil` if the table is empty.
    private func find(_ key: [UInt8]) -> Place? {
        guard !runs.isEmpty else { return nil }
        return key.withUnsafeBytes { key in
            // The last run that does not begin above the key, otherwise the first.
            var (low, high) = (1, runs.count)
            while low < high {
                let middle = (low + high) / 2
                if Self.compare(runs[middle][0].key, key) > 0 {
                    high = middle
                } else {
                    low = middle + 1
                }
            }
            let run = low - 1
            return runs[run].withUnsafeBufferPointer { entries in
                var (low, high) = (0, entries.count)
                while low < high {
                    let middle = (low + high) / 2
                    let order = Self.compare(entries[middle].key, key)
                    if order == 0 { return Place(run: run, index: middle, isTaken: true) }
                    if order < 0 { low = middle + 1 } else { high = middle }
                }
                return Place(run: run, index: low, isTaken: false)
            }
        }
    }

    /// Returns a number below, equal to or above zero, as `left` is below, equal to or above
    /// `right`.
    @inline(__always)
    private static func compare(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Int {
        left.withUnsafeBytes { left in
            let shared = min(left.count, right.count)
            var index = 0
            while index + 8 <= shared {
                let a = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let b = right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if a != b { return a.bigEndian < b.bigEndian ? -1 : 1 }
                index += 8
            }
            while index < shared {
                if left[index] != right[index] { return Int(left[index]) - Int(right[index]) }
                index += 1
            }
            return left.count - right.count
        }
    }

    private mutating func split(_ run: Int) {
        let half = runs[run].count / 2
        let upper = [Entry](runs[run][half...])
        runs[run].removeSubrange(half...)
        runs.insert(upper, at: run + 1)
    }
}
