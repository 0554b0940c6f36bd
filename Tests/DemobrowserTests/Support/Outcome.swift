import ChildProcesses
import StorageConformance

/// What became of a `demobrowser` that ran to its end.
struct Outcome {
    var end: ProcessEnd
    var output: String
    var messages: String

    /// - Parameter input: the commands that it gets from standard input.
    init(of arguments: [String], input: [String] = []) throws {
        let process = try BrowserProcess(arguments)
        process.send(input)
        process.closeInput()
        var lines: [String] = []
        while let line = process.line() { lines.append(line) }
        end = process.finish()
        output = lines.joined(separator: "\n")
        messages = process.messages
    }

    /// `nil` if a signal ended it.
    var status: Int32? { end.status }
}
