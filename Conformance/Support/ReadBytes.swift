import Foundation

/// Counts the bytes that a process read from the system, and those that it wrote.
enum ReadBytes {
    /// The bytes that this process has read so far, without memory-mapped files; `nil` if the
    /// system does not count them.
    static var ofThisProcess: Int? { count("rchar: ") }

    /// The bytes that this process has written so far, also to descriptors that are no files, and without
    /// memory-mapped files; `nil` if the system does not count them.
    static var writtenByThisProcess: Int? { count("wchar: ") }

    private static func count(_ name: String) -> Int? {
        guard let file = FileHandle(forReadingAtPath: "/proc/self/io"),
            let bytes = try? file.readToEnd()
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) }
    }
}
