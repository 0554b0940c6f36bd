import BrowserSessions
import SessionSamples

/// One thing that happens to one file of a store.
enum Damage: Hashable, CustomStringConvertible {
    case truncate(Int)
    case flip(byte: Int, bit: Int)
    /// Zeros the 512 bytes at an offset that is a multiple of 512.
    case zeroSector(Int)
    case remove
    /// The file follows itself.
    case double
    /// Every byte is 0xFF.
    case garbage

    var description: String {
        switch self {
        case .truncate(let size): "truncated to \(size)"
        case .flip(let byte, let bit): "bit \(bit) of byte \(byte) flipped"
        case .zeroSector(let offset): "sector at \(offset) zeroed"
        case .remove: "removed"
        case .double: "doubled"
        case .garbage: "overwritten"
        }
    }

    /// The first word of the description of its kind.
    var kind: String {
        switch self {
        case .truncate: "truncate"
        case .flip: "flip"
        case .zeroSector: "zero"
        case .remove: "remove"
        case .double: "double"
        case .garbage: "garbage"
        }
    }

    /// The damaged bytes; `nil` if there is no file any more.
    func applied(to bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        switch self {
        case .truncate(let size): return [UInt8](bytes.prefix(size))
        case .flip(let byte, let bit): bytes[byte] ^= 1 << bit
        case .zeroSector(let offset):
            for index in offset..<min(offset + 512, bytes.count) { bytes[index] = 0 }
        case .remove: return nil
        case .double: bytes += bytes
        case .garbage: return [UInt8](repeating: 0xFF, count: bytes.count)
        }
        return bytes
    }

    /// Kinds for a file of that size, at places that the generator chooses.
    ///
    /// - Parameter most: how many of them, chosen by the generator.
    static func samples(
        fileSize: Int, perKind: Int, most: Int, _ generator: inout SeededGenerator
    ) -> [Self] {
        guard fileSize > 0 else { return [.remove] }
        var samples: [Self] = [.remove, .double, .garbage, .truncate(0), .truncate(fileSize - 1)]
        for _ in 0..<perKind {
            samples.append(.truncate(generator.integer(in: 0...fileSize - 1)))
            samples.append(.zeroSector(generator.integer(in: 0...(fileSize - 1) / 512) * 512))
            for _ in 1...2 {
                let byte = generator.integer(in: 0...fileSize - 1)
                samples.append(.flip(byte: byte, bit: generator.integer(in: 0...7)))
            }
        }
        var seen: Set<Self> = []
        samples = samples.filter { seen.insert($0).inserted }
        return samples.count > most
            ? Array(samples.shuffled(using: &generator).prefix(most)) : samples
    }

    /// Places that once cost more than they had to: an SQLite page that was changed in place, and
    /// one into which a save went without being found again.
    static let costlyBefore: [(file: String, damage: Self)] = [
        ("regular/sessions.db", .flip(byte: 41887, bit: 3)),
        ("regular/sessions.db", .zeroSector(15360)),
        ("regular/sessions.db", .zeroSector(8192)),
    ]
}
