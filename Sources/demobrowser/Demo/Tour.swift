import ArgumentParser
import BrowserSessions
import ChildProcesses
import CommandLineSupport
import Foundation
import LocalFiles
import ToolSupport

/// A command that shows, for every backend, that a killed browser comes back as it was.
struct Tour: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Kills a browser with SIGKILL, and shows it as it comes back.")

    @Option(help: "The folder for the profiles, which are removed at the end.")
    var folder: String

    /// The user's commands before the kill.
    static let first = [
        "open demo:page/7", "go demo:page/14", "open demo:page/8", "pin 1", "group news 2 3",
        "window", "open demo:page/9", "go scroll 2", "incognito demo:page/777", "window 1", "tabs",
    ]
    /// The user's commands after the browser has come back.
    static let second = ["windows", "tabs", "state 2", "select 2", "tabs", "window 2", "close i1"]

    func validate() throws {
        if folder.isEmpty { throw ValidationError("--folder: its name is empty") }
    }

    func run() async throws {
        let root = URL(filePath: folder).appending(path: "tour-\(UUID().uuidString)").path
        try FileSystem.makeDirectories(root)
        defer { try? FileSystem.remove(root) }
        for backend in ["directory", "sqlite", "leveldb"] {
            let storage = "\(backend)://\(root)/\(backend)"
            try Console.line()
            try Console.line("\(backend): windows, tabs, a group and an incognito tab")
            try Self.browseUntilKilled(storage)
            try Console.line("   … killed with SIGKILL after the delayed save. A new process:")
            try Self.browse(storage)
        }
        try Console.line()
        try Console.line("Done: each browser came back as it was when it was killed.")
    }

    /// Runs a browser and kills it when the store has acknowledged a delayed save.
    private static func browseUntilKilled(_ storage: String) throws {
        let program = try start([
            "--storage", storage, "--trace", "-", "--save-delay", "0.3",
        ])
        program.write(first.joined(separator: "\n") + "\n")
        var text = ""
        func wait(for part: String) throws {
            while !text.contains(part) {
                let bytes = program.read()
                guard !bytes.isEmpty else { throw ExitCode.impossible }
                text += String(decoding: bytes, as: UTF8.self)
            }
        }
        try wait(for: "\nsaved ")
        // The incognito partition is saved right after the regular one and has no line in the trace.
        program.write("save\nwindows\n")
        try wait(for: "> window 1")
        program.kill()
        try show(text)
    }

    private static func browse(_ storage: String) throws {
        let program = try start(["--storage", storage])
        program.write(second.joined(separator: "\n") + "\n")
        program.closeInput()
        try show(String(decoding: program.readToEnd(), as: UTF8.self))
        guard program.end() == .exited(0) else { throw ExitCode.impossible }
    }

    /// Prints a browser's output without its pages and its trace.
    private static func show(_ text: String) throws {
        let hidden = ["   ", "restored ", "change ", "saved "]
        for line in text.split(separator: "\n") where !hidden.contains(where: line.hasPrefix) {
            try Console.line("   \(line)")
        }
    }

    private static func start(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram([OwnProgram.path] + arguments, input: .pipe, output: .pipe)
    }
}
