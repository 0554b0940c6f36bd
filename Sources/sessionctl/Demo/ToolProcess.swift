import ChildProcesses
import CommandLineSupport
import Foundation

/// Another process that runs this program.
struct ToolProcess {
    var arguments: [String]
    var environment: [String: String] = [:]

    struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    private func start() throws -> RunningProgram {
        try RunningProgram(
            [OwnProgram.path] + arguments, environment: environment, output: .pipe)
    }

    /// Runs the process to its end and returns its standard output. Throws unless the exit code is 0.
    func output() throws -> Data {
        let program = try start()
        let data = Data(program.readToEnd())
        let end = program.end()
        guard end == .exited(0) else {
            throw Failed(description: "'\(arguments.first ?? "")' \(end)")
        }
        return data
    }

    /// Runs the process until it has printed `lines` lines, and kills it with SIGKILL. Returns the
    /// number of complete lines that it printed by then.
    func killed(afterLines lines: Int) throws -> Int {
        let program = try start()
        var count = 0
        while count < lines {
            let bytes = program.read()
            if bytes.isEmpty { break }
            count += bytes.count { $0 == UInt8(ascii: "\n") }
        }
        let end = program.kill()
        count += program.readToEnd().count { $0 == UInt8(ascii: "\n") }
        guard case .signal = end else {
            throw Failed(description: "the saving process ended by itself after \(count) saves")
        }
        return count
    }
}
