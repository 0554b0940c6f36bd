import CommandLineSupport
import Foundation

/// Another process that runs this program.
struct ToolProcess {
    var arguments: [String]
    var environment: [String: String] = [:]

    struct Failed: Error, CustomStringConvertible {
        var description: String
    }

    private func process(_ output: Pipe) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: OwnProgram.path)
        process.arguments = arguments
        // A store that the environment selects belongs to the user.
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("SESSION_STORAGE_") }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        return process
    }

    /// Runs the process to its end and returns its standard output. Throws unless the exit code is 0.
    func output() throws -> Data {
        let pipe = Pipe()
        let process = process(pipe)
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let command = arguments.first ?? ""
            throw Failed(description: "'\(command)' ended with \(process.terminationStatus)")
        }
        return data
    }

    /// Runs the process until it has printed `lines` lines, and kills it with SIGKILL. Returns the
    /// number of complete lines that it printed by then.
    func killed(afterLines lines: Int) throws -> Int {
        let pipe = Pipe()
        let process = process(pipe)
        try process.run()
        var count = 0
        while count < lines {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            count += data.count { $0 == UInt8(ascii: "\n") }
        }
        kill(process.processIdentifier, SIGKILL)
        count += pipe.fileHandleForReading.readDataToEndOfFile().count { $0 == UInt8(ascii: "\n") }
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal else {
            throw Failed(description: "the saving process ended by itself after \(count) saves")
        }
        return count
    }
}
