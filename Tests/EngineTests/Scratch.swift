import BrowserSessions
import Foundation

/// A directory that is removed when it goes out of scope.
final class Scratch {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) throws {
        path = (parent as NSString).appendingPathComponent("engines-\(UUID().uuidString)")
        try FileSystem.makeDirectory(path)
    }

    deinit { try? FileSystem.remove(path) }

    /// A copy of another directory as it is now: what a kill would leave.
    convenience init(copying other: String) throws {
        try self.init(in: FileSystem.parent(of: other))
        for name in try FileSystem.contents(of: other) {
            try FileSystem.copy("\(other)/\(name)", to: "\(path)/\(name)")
        }
    }
}

/// SplitMix64: reproducible, and good enough to choose places.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}

extension OrderedByteStore {
    func contents(_ space: KeySpace, prefix: [UInt8] = []) throws -> [[UInt8]: [UInt8]] {
        var contents: [[UInt8]: [UInt8]] = [:]
        try scan(space, prefix: prefix) { key, value in contents[[UInt8](key)] = [UInt8](value) }
        return contents
    }

    func keys(_ space: KeySpace, prefix: [UInt8] = []) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try scan(space, prefix: prefix) { key, _ in keys.append([UInt8](key)) }
        return keys
    }

    func put(
        _ value: [UInt8], _ key: [UInt8], in space: KeySpace = .metadata, durably: Bool = true
    ) throws {
        var batch = ByteBatch()
        batch.put(value, for: key, in: space)
        try write(batch, durably: durably)
    }
}
