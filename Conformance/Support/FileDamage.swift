import SessionSamples

/// Kinds of damage to a file of a store.
enum FileDamage: String, Sendable, CaseIterable {
    case truncate, flip, zero, overwrite, remove, double

    /// A damaged version of a file.
    struct Version: Sendable {
        /// The bytes; `nil` if the file is absent.
        var bytes: [UInt8]?
        /// What was done, and where: `bit 3 of byte 17 of 4096 flipped`.
        var what: String
    }

    /// Returns damaged versions of a file, in places that the generator chooses.
    func versions(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [Version] {
        let size = bytes.count
        guard size > 0 else { return self == .remove ? [removed(size)] : [] }
        switch self {
        case .truncate:
            return [size - 1, generator.integer(in: 0...size - 1)].map {
                Version(bytes: [UInt8](bytes.prefix($0)), what: "cut to \($0) of \(size) bytes")
            }
        case .flip:
            return (0..<3).map { _ in
                let (byte, bit) = (
                    generator.integer(in: 0...size - 1), generator.integer(in: 0...7)
                )
                return Self.flipped(byte, bit, of: bytes)
            }
        case .zero:
            let start = generator.integer(in: 0...(size - 1) / 512) * 512
            return [filled(start..<min(start + 512, size), with: 0, of: bytes)]
        case .overwrite: return [filled(0..<size, with: 0xFF, of: bytes)]
        case .remove: return [removed(size)]
        case .double: return [Version(bytes: bytes + bytes, what: "its \(size) bytes doubled")]
        }
    }

    /// How much of a file's beginning and end may have no checksum: headers, footers, offsets.
    private static let end = 100

    /// Returns versions with one flipped bit in small structures: anywhere in a small file, and at
    /// the ends of a large one.
    ///
    /// - Parameter most: the largest number of these versions.
    static func smallFlips(
        of bytes: [UInt8], most: Int, _ generator: inout SeededGenerator
    ) -> [Version] {
        let places = bytes.indices.filter { $0 < end || $0 >= bytes.count - end }
        let bits = places.flatMap { byte in (0..<8).map { (byte, $0) } }
        let chosen = most < bits.count ? bits.shuffled(using: &generator).prefix(most) : bits[...]
        return chosen.map { flipped($0.0, $0.1, of: bytes) }
    }

    private static func flipped(_ byte: Int, _ bit: Int, of bytes: [UInt8]) -> Version {
        var damaged = bytes
        damaged[byte] ^= 1 << UInt8(bit)
        return Version(
            bytes: damaged, what: "bit \(bit) of byte \(byte) of \(bytes.count) flipped")
    }

    private func removed(_ size: Int) -> Version { .init(what: "removed with its \(size) bytes") }

    private func filled(_ range: Range<Int>, with byte: UInt8, of bytes: [UInt8]) -> Version {
        var damaged = bytes
        for index in range { damaged[index] = byte }
        return Version(
            bytes: damaged,
            what: "bytes \(range.lowerBound) to \(range.upperBound - 1) of \(bytes.count) filled")
    }
}

extension SeededGenerator {
    /// Makes the same numbers for the same file, whatever happens to other files: a file with a
    /// size that differs from run to run does not move the damage of others.
    init(seed: UInt64, file: String) {
        // FNV-1a, because the hash of the language differs from process to process.
        let hash = file.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        self.init(seed: seed ^ hash)
    }
}
