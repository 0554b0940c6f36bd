import BrowserSessions
import ChildProcesses
import CommandLineSupport
import Foundation

/// A probe that determines the environment of a run.
enum EnvironmentProbe {
    static func environment(
        folder: String, seed: UInt64, libraries: [String: String], countsSyncs: Bool
    ) -> BenchEnvironment {
        let type = filesystem(of: folder)
        var notes = ["all reads but those of open-cold are warm"]
        if !countsSyncs { notes.append("syncs were not counted: strace is not installed") }
        let load = loadAverage()
        if load > 1 { notes.append("the load average was \(load) at the start") }
        if type == "tmpfs" { notes.append("tmpfs is memory: syncs cost nothing on it") }
        if hasAssertions { notes.append("a debug build: times say little") }
        return BenchEnvironment(
            cpu: processor(), kernel: kernel(), filesystem: type, swift: ToolVersion.swift,
            libraries: libraries, revision: revision(), seed: seed,
            command: CommandLine.arguments.enumerated().map { place, argument in
                place == 0 ? URL(filePath: argument).lastPathComponent : argument
            }.joined(separator: " "),
            program: program(), build: hasAssertions ? "debug" : "release",
            date: ISO8601DateFormatter().string(from: Date()), notes: notes)
    }

    private static var hasAssertions: Bool {
        var has = false
        assert({ has = true }() == ())
        return has
    }

    /// Returns what distinguishes this build of the program from others.
    private static func program() -> String? {
        var status = stat()
        guard stat(OwnProgram.path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let written = status.st_mtimespec
        #else
            let written = status.st_mtim
        #endif
        return "\(status.st_size) bytes, written at \(written.tv_sec).\(written.tv_nsec)"
    }

    /// Returns the text of a file of the system; empty if there is none.
    static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    private static func processor() -> String {
        let lines = text("/proc/cpuinfo").split(separator: "\n")
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let name = model?.trimmingCharacters(in: .whitespaces) ?? "unknown"
        return "\(name), \(ProcessInfo.processInfo.processorCount) processors"
    }

    private static func kernel() -> String {
        let release = text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .newlines)
        return release.isEmpty ? ProcessInfo.processInfo.operatingSystemVersionString : release
    }

    static func loadAverage() -> Double {
        text("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0
    }

    /// Returns the type of the last mount that contains the path.
    static func filesystem(of path: String) -> String {
        let real = URL(filePath: path).resolvingSymlinksInPath().path + "/"
        var best: (length: Int, type: String) = (0, "unknown")
        for line in text("/proc/mounts").split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { continue }
            let mount = fields[1] == "/" ? "/" : fields[1].replacing("\\040", with: " ") + "/"
            guard real.hasPrefix(mount), mount.count >= best.length else { continue }
            best = (mount.count, String(fields[2]))
        }
        return best.type
    }

    /// Returns the commit of the checkout where the program runs; empty if there is none.
    private static func revision() -> String {
        let git = ["/usr/bin/env", "git", "rev-parse", "--short=12", "HEAD"]
        return RunningProgram.output(of: git)?.trimmingCharacters(in: .newlines) ?? ""
    }
}
