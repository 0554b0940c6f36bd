import BrowserSessions
import Foundation
import StorageEngines

/// The system's figures about this process and its files.
enum Resources {
    /// Returns the bytes that this process passed to `write`; 0 if the system does not report them.
    static func bytesWritten() -> Int {
        let lines = EnvironmentProbe.text("/proc/self/io").split(separator: "\n")
        return lines.first { $0.hasPrefix("wchar:") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// Returns the bytes of all objects that this process has allocated; `nil` if the platform does not
    /// say it.
    static func allocatedBytes() -> Int? {
        typealias Describe = @convention(c) (CInt, UnsafeMutableRawPointer) -> CInt
        var (text, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        guard let describe = dlsym(dlopen(nil, RTLD_NOW), "malloc_info"),
            let stream = open_memstream(&text, &size)
        else { return nil }
        _ = unsafeBitCast(describe, to: Describe.self)(0, stream)
        fclose(stream)
        guard let text else { return nil }
        defer { free(text) }
        // The sums of all arenas are behind the last of them.
        let lines = String(cString: text).split(separator: "\n").reversed()
            .prefix { $0 != "</heap>" }
        func bytes(_ name: String) -> Int? {
            lines.first { $0.contains("\"\(name)\"") }
                .flatMap { $0.split(separator: "size=\"").last }
                .flatMap { Int($0.prefix { $0.isNumber }) }
        }
        guard let system = bytes("current"), let mapped = bytes("mmap"),
            let small = bytes("fast"), let free = bytes("rest")
        else { return nil }
        return system + mapped - small - free
    }

    /// Returns all free memory to the system, if the platform supports that.
    static func giveBackMemory() {
        // The header that declares the function is in no module.
        typealias Trim = @convention(c) (Int) -> CInt
        guard let trim = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: Trim.self)(0)
    }

    /// Returns the bytes of all files in a folder, except files that disappear meanwhile.
    static func diskBytes(of path: String) -> Int {
        guard let status = try? FileSystem.status(path) else { return 0 }
        guard status.kind == .directory else { return status.size }
        let names = (try? FileSystem.contents(of: path)) ?? []
        return names.reduce(0) { $0 + diskBytes(of: "\(path)/\($1)") }
    }
}
