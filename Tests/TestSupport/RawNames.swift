import BrowserSessions
import Foundation

/// Names as the system has them, by calls of C: bytes, which need not be text.
package enum RawNames {
    /// No UTF-8: an é of Latin-1.
    package static let latin: [UInt8] = [0x63, 0x61, 0x66, 0xE9]
    /// Two names that Swift takes for one text: an é, and an e with an accent.
    package static let equal: [[UInt8]] = [Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8)]
    package static let all = [latin] + equal

    /// Makes files of all these names in a folder, and a folder with such files in it.
    package static func plant(in folder: [UInt8]) throws {
        let inner = folder + [UInt8(ascii: "/"), 0xFF]
        try require(inner.withPath { mkdir($0, 0o700) }, "make", inner)
        for place in [folder, inner] { for name in all { try write([1, 2, 3], name, in: place) } }
    }

    package static func plant(in folder: String) throws { try plant(in: Array(folder.utf8)) }

    package static func write(_ bytes: [UInt8], _ name: [UInt8], in folder: [UInt8]) throws {
        let path = folder + [UInt8(ascii: "/")] + name
        let file = path.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        try require(file, "make", path)
        defer { close(file) }
        try require(Int32(Foundation.write(file, bytes, bytes.count)), "write", path)
    }

    /// The names in a folder, ascending, without `.` and `..`; `nil` if there is none.
    package static func list(_ folder: [UInt8]) -> [[UInt8]]? {
        guard let stream = folder.withPath({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    package static func list(_ folder: String) -> [[UInt8]]? { list(Array(folder.utf8)) }

    private static func require(_ result: Int32, _ call: String, _ path: [UInt8]) throws {
        guard result >= 0 else {
            throw StorageError(.failed, "cannot \(call) \(path): \(errno)", operation: "plant")
        }
    }
}

extension [UInt8] {
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let path = map(CChar.init(bitPattern:)) + [0]
        // It is only read.
        return path.withUnsafeBufferPointer { path in path.baseAddress.map(body) ?? body("") }
    }
}
