import Foundation

/// A tour that runs the browser several times on one folder, ends it with SIGKILL where an act
/// requests it, and collects the output of each run.
struct Tour {
    static let killMark = "(SIGKILL)"
    /// The last line of an act. A page's process may keep the pipe open longer.
    static let endMark = "(the browser is closed)"
    private let folder: String
    private let server: PageServer

    init(folder: String) throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        self.folder = folder
        server = try PageServer()
    }

    /// Runs all measurements and prints the results.
    func measure() throws {
        for measurement in Measurement.all { _ = try perform("measure", measurement.rawValue) }
    }

    /// Runs the suite of engines. Returns whether it passed.
    func checkEngine() throws -> Bool { try perform("conform", "engine") }

    /// Runs the acts. Returns whether all checks passed.
    func run(_ acts: [Act]) throws -> Bool {
        var isRight = true
        for act in acts {
            Self.say("\n== \(act.title)")
            if try !perform("act", act.rawValue) { isRight = false }
        }
        Self.say(isRight ? "\nAll of it is as it should be." : "\nSomething is WRONG.")
        return isRight
    }

    /// Prints a line at once, even into a pipe.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func perform(_ command: String, _ act: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [command, act, "--folder", folder, "--server", server.address]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let wasKilled = try relay(output.fileHandleForReading, of: process)
        process.waitUntilExit()
        return wasKilled || process.terminationStatus == 0
    }

    /// Prints the output of an act, and kills its process on request. Returns whether it was killed
    /// and every check until then passed.
    private func relay(_ output: FileHandle, of process: Process) throws -> Bool {
        var isRight = true
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { return false }
            text += String(decoding: data, as: UTF8.self)
            while let end = text.firstIndex(of: "\n") {
                let line = String(text[..<end])
                Self.say(line)
                if line.hasPrefix("WRONG") { isRight = false }
                if line == Self.endMark { return false }
                if line == Self.killMark {
                    kill(process.processIdentifier, SIGKILL)
                    return isRight
                }
                text = String(text[text.index(after: end)...])
            }
        }
    }
}
