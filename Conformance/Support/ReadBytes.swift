import Foundation

/// Bytes that a process got from the system by reading.
enum ReadBytes {
    /// All that this process has read so far; `nil` where the system does not count it. Memory
    /// mapped files are not in it.
    static var ofThisProcess: Int? {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/io"),
            let bytes = try? file.readToEnd()
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("rchar: ") }
        return line.flatMap { Int($0.dropFirst("rchar: ".count)) }
    }
}
