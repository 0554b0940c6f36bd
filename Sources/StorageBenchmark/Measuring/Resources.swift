import BrowserSessions
import Foundation

/// What the system tells of this process and its files.
enum Resources {
    /// Bytes that this process handed to `write` so far; 0 where the system does not tell.
    static func bytesWritten() -> Int {
        guard let file = fopen("/proc/self/io", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        while fgets(&line, 128, file) != nil {
            let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.hasPrefix("wchar: ") else { continue }
            return Int(text.dropFirst(7).prefix { $0.isNumber }) ?? 0
        }
        return 0
    }

    /// The most memory that this process had so far.
    static func peakRSSBytes() -> Int {
        var usage = rusage()
        #if canImport(Darwin)
            return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
        #else
            return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
                ? usage.ru_maxrss * 1024 : 0
        #endif
    }

    /// Bytes of all files below a folder; those that vanish meanwhile are not counted.
    static func diskBytes(of path: String) -> Int {
        guard let status = try? FileSystem.status(path) else { return 0 }
        guard status.kind == .directory else { return status.size }
        let names = (try? FileSystem.contents(of: path)) ?? []
        return names.reduce(0) { $0 + diskBytes(of: "\(path)/\($1)") }
    }
}
