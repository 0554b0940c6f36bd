import ArgumentParser
import BrowserSessions
import ChildProcesses
import CommandLineSupport
import Foundation
import StorageEngines
import ToolSupport

/// A command that shows, for every backend, that a killed browser comes back as it was.
struct Tour: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Kills a browser with SIGKILL, and shows it as it comes back.")

    @Option(help: "The folder for the profiles, which are removed at the end.")
    var folder: String

    /// The user's commands before the kill.
    static let first =
        ["open demo:page/7", "go demo:page/14", "open demo:page/8", "pin 1", "group news 2 3"]
        + (20...25).map { "open demo:page/\($0)" } + [
            "folder work 4 5 6 7", "folder later 4", "collapse n3", "split 5 6", "below 7 8",
            "window",
            "open demo:page/9", "go scroll 2", "incognito demo:page/777", "window 1", "space home",
            "open demo:page/30", "share 10", "select s1", "tabs",
        ]
    /// The user's commands after the browser has come back.
    static let second = [
        "windows", "tabs", "state 2", "window 1", "tabs", "select 2", "expand n3", "tabs",
        "window 2", "close i1",
    ]

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
            try Console.line(
                "\(backend): windows, tabs, a group, folders, a split, a branch, a space, incognito tabs"
            )
            let state = try Self.browseUntilKilled(storage)
            try Console.line("   … killed with SIGKILL after the delayed save. A new process:")
            try Self.browse(storage, expecting: state)
        }
        try Console.line()
        try Console.line("Done: each browser came back as it was when it was killed.")
    }

    /// Runs a browser and kills it when the store has acknowledged a delayed save. Returns its state.
    private static func browseUntilKilled(_ storage: String) throws -> Substring? {
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
        return state(after: "change ", in: text)
    }

    private static func browse(_ storage: String, expecting state: Substring?) throws {
        let program = try start(["--storage", storage, "--trace", "-"])
        program.write(second.joined(separator: "\n") + "\n")
        program.closeInput()
        let text = String(decoding: program.readToEnd(), as: UTF8.self)
        try show(text)
        guard program.end() == .exited(0) else { throw ExitCode.impossible }
        guard state != nil, state == self.state(after: "restored ", in: text) else {
            Console.message("demobrowser: it came back otherwise")
            throw ExitCode.impossible
        }
    }

    /// Returns the state at the end of the last line of a trace that begins like this.
    private static func state(after word: String, in text: String) -> Substring? {
        let line = text.split(separator: "\n").last { $0.hasPrefix(word) }
        return line.flatMap { line in line.firstIndex(of: "{").map { line[$0...] } }
    }

    /// Prints a browser's output without its pages and its trace.
    private static func show(_ text: String) throws {
        let hidden = ["restored ", "change ", "saved "]
        for line in text.split(separator: "\n") where !hidden.contains(where: line.hasPrefix) {
            // A page is indented by three spaces, and the outline by an even number of them.
            let isPage = line.prefix { $0 == " " }.count == 3
            if !isPage { try Console.line("   \(line)") }
        }
    }

    private static func start(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram([OwnProgram.path] + arguments, input: .pipe, output: .pipe)
    }
}
