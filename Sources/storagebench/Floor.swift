import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the disk itself costs, without any store.
final class Floor {
    private let file: FileDescriptor
    private let root: String

    init(_ root: String) throws {
        self.root = root
        file = try FileDescriptor(
            opening: "\(root)/floor", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
        try file.write([0])
        try file.syncData()
    }

    /// Floor A: append and one fdatasync.
    func append(_ bytes: [UInt8]) throws {
        try file.write(bytes)
        try file.syncData()
    }

    /// Floor R: open, read and close.
    func readFile(of count: Int) throws -> Int {
        try FileSystem.read("\(root)/blob-\(count)").count
    }

    func makeFile(of count: Int) throws {
        try FileSystem.replace("\(root)/blob-\(count)", with: [UInt8](repeating: 7, count: count))
    }
}

/// Times in nanoseconds of one operation and its floor, taken in turn.
struct Pairs {
    private var operation: [Double] = []
    private var floor: [Double] = []
    private let clock = ContinuousClock()

    mutating func measure(_ work: () throws -> Void, against base: () throws -> Void) rethrows {
        // Who goes first changes, so that neither always follows the other.
        if operation.count.isMultiple(of: 2) {
            floor.append(try time(base))
            operation.append(try time(work))
        } else {
            operation.append(try time(work))
            floor.append(try time(base))
        }
    }

    private func time(_ work: () throws -> Void) rethrows -> Double {
        Double((try clock.measure(work)) / .nanoseconds(1))
    }

    var microseconds: Double { Self.median(operation) / 1000 }

    /// The median of the pairs' ratios.
    var ratio: Double { Self.median(zip(operation, floor).map { $0 / max($1, 1) }) }

    func percentile(_ part: Double) -> Double {
        let sorted = operation.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] / 1000
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}

/// Bytes that this process handed to `write` so far; 0 where the system does not tell.
func bytesWritten() -> Int {
    guard let file = fopen("/proc/self/io", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    while fgets(&line, 128, file) != nil {
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("wchar: ") else { continue }
        return Int(text.dropFirst(7).prefix { $0.isNumber }) ?? 0
    }
    return 0
}
