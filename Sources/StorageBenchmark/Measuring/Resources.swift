import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

/// What the system tells of this process and its files.
enum Resources {
    /// Bytes that this process handed to `write` so far; 0 where the system does not tell.
    static func bytesWritten() -> Int { number("wchar:", in: "/proc/self/io") ?? 0 }

    /// The number behind a word at the beginning of a line of a file.
    private static func number(_ name: String, in path: String) -> Int? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        while fgets(&line, 128, file) != nil {
            let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            let rest = text.dropFirst(name.utf8.count).drop { $0 == " " || $0 == "\t" }
            return Int(rest.prefix { $0.isNumber })
        }
        return nil
    }

    /// The most memory that this process had so far.
    static func peakRSSBytes() -> Int {
        // What the system calls the most of a process begins, on Linux, with what the process had
        // that started it; this does not.
        if let kibibytes = number("VmHWM:", in: "/proc/self/status") { return kibibytes * 1024 }
        var usage = rusage()
        #if canImport(Darwin)
            return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
        #else
            return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
                ? usage.ru_maxrss * 1024 : 0
        #endif
    }

    /// Gives all memory that is free back to the system, where that can be asked for.
    static func giveBackMemory() {
        // The header that declares it is in no module.
        typealias Trim = @convention(c) (Int) -> CInt
        guard let trim = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: Trim.self)(0)
    }

    /// Bytes of all files below a folder; those that vanish meanwhile are not counted.
    static func diskBytes(of path: String) -> Int {
        guard let status = try? FileSystem.status(path) else { return 0 }
        guard status.kind == .directory else { return status.size }
        let names = (try? FileSystem.contents(of: path)) ?? []
        return names.reduce(0) { $0 + diskBytes(of: "\(path)/\($1)") }
    }
}
