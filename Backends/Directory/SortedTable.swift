/// Bytes by bytes in ascending order, in memory: a list of short sorted runs.
struct SortedTable {
    private struct Entry {
        var key: [UInt8]
        var value: [UInt8]
    }

    private static let maximumRun = 256

    /// No run is empty; the keys of a run are below those of the next.
    private var runs: [[Entry]] = []
    private(set) var count = 0
    /// Bytes of all keys and values.
    private(set) var bytes = 0

    subscript(key: [UInt8]) -> [UInt8]? {
        guard let run = run(for: key) else { return nil }
        let index = Self.position(of: key, in: runs[run])
        guard index < runs[run].count, runs[run][index].key == key else { return nil }
        return runs[run][index].value
    }

    mutating func put(_ value: [UInt8], for key: [UInt8]) {
        guard let run = run(for: key) else {
            runs.append([Entry(key: key, value: value)])
            count += 1
            bytes += key.count + value.count
            return
        }
        let index = Self.position(of: key, in: runs[run])
        if index < runs[run].count, runs[run][index].key == key {
            bytes += value.count - runs[run][index].value.count
            runs[run][index].value = value
            return
        }
        runs[run].insert(Entry(key: key, value: value), at: index)
        count += 1
        bytes += key.count + value.count
        if runs[run].count > Self.maximumRun { split(run) }
    }

    mutating func remove(_ key: [UInt8]) {
        guard let run = run(for: key) else { return }
        let index = Self.position(of: key, in: runs[run])
        guard index < runs[run].count, runs[run][index].key == key else { return }
        bytes -= key.count + runs[run][index].value.count
        count -= 1
        runs[run].remove(at: index)
        if runs[run].isEmpty { runs.remove(at: run) }
    }

    /// Visits the entries whose key begins with the prefix, in order.
    func scan(
        prefix: [UInt8],
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard let first = run(for: prefix) else { return }
        var start = Self.position(of: prefix, in: runs[first])
        for run in first..<runs.count {
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

    /// `false` if the key does not begin with the prefix.
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

    /// The run that holds the key or would; `nil` if there is none at all.
    private func run(for key: [UInt8]) -> Int? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(key, runs[middle][0].key) { high = middle } else { low = middle + 1 }
        }
        return runs.isEmpty ? nil : max(low - 1, 0)
    }

    /// The index of the first entry whose key is not below `key`.
    private static func position(of key: [UInt8], in run: [Entry]) -> Int {
        var (low, high) = (0, run.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(run[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                let shared = min(left.count, right.count)
                var index = 0
                while index + 8 <= shared {
                    let a = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    let b = right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    if a != b { return a.bigEndian < b.bigEndian }
                    index += 8
                }
                while index < shared {
                    if left[index] != right[index] { return left[index] < right[index] }
                    index += 1
                }
                return left.count < right.count
            }
        }
    }

    private mutating func split(_ run: Int) {
        let half = runs[run].count / 2
        let upper = [Entry](runs[run][half...])
        runs[run].removeSubrange(half...)
        runs.insert(upper, at: run + 1)
    }
}
