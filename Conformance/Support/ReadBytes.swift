import Foundation

/// Counts the bytes that a process read from the system.
enum ReadBytes {
    /// The bytes that this process has read so far, without memory-mapped files; `nil` if the
    /// system does not count them.
    static var ofThisProcess: Int? {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/io"),
            let bytes = try? file.readToEnd()
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("rchar: ") }
        return line.flatMap { Int($0.dropFirst("rchar: ".count)) }
    }
}
