import Foundation

/// A counter of the syncs of single operations in the log of `strace`.
///
/// The child marks the beginning and the end of every operation with a sync of a descriptor that
/// cannot exist. The call fails at once and appears in the log in order among the real ones.
enum SyncTrace {
    enum Mark: Int { case begin = 0, end }

    private static let base = 100_000

    static func mark(_ mark: Mark, job: Int) {
        _ = fsync(Int32(-(base + 2 * job + mark.rawValue)))
    }

    /// Returns the path of the tracing program; `nil` if it is not installed.
    static func tracer() -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/strace" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    static func arguments(log: String) -> [String] {
        [
            "-f", "-qq", "--seccomp-bpf", "-o", log,
            "-e", "trace=fsync,fdatasync,sync_file_range,msync", "-e", "signal=none",
        ]
    }

    /// Returns the mean number of syncs of one operation, by the index of its job.
    static func counts(in log: String) -> [Int: Double] {
        var operations: [Int: Int] = [:]
        var syncs: [Int: Int] = [:]
        var current: Int?
        for line in log.split(separator: "\n") {
            guard let argument = firstArgument(line) else { continue }
            if let number = Int(argument), number <= -base {
                let code = -number - base
                current = code.isMultiple(of: 2) ? code / 2 : nil
                if current != nil { operations[code / 2, default: 0] += 1 }
            } else if let current, waits(line) {
                syncs[current, default: 0] += 1
            }
        }
        return operations.reduce(into: [:]) { result, entry in
            result[entry.key] = Double(syncs[entry.key] ?? 0) / Double(entry.value)
        }
    }

    /// A call that only asks the disk to begin is no sync.
    private static func waits(_ line: Substring) -> Bool {
        !line.contains("sync_file_range(") || line.contains("_WAIT_")
    }

    /// Returns `7` for `4711  fdatasync(7) = 0`; `nil` for the second half of an interrupted line.
    private static func firstArgument(_ line: Substring) -> Substring? {
        guard !line.contains("resumed>"), let open = line.firstIndex(of: "(") else { return nil }
        return line[line.index(after: open)...].prefix { $0.isHexDigit || $0 == "-" || $0 == "x" }
    }
}
