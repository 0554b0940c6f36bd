import Foundation

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "interop-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file, with the folders above it.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let url = URL(fileURLWithPath: self(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self(name)) }
}

/// Bytes from hexadecimal digits.
func hex(_ digits: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits.compactMap(\.hexDigitValue).map(UInt8.init) {
        if let first = high {
            bytes.append(first << 4 | digit)
            high = nil
        } else {
            high = digit
        }
    }
    return bytes
}

/// The bytes with one bit changed.
func flipping(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
}
