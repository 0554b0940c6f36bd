import Foundation

/// What became of a `demobrowser` that ran to its end.
struct Outcome {
    var status: Int32
    var isSignal: Bool
    var output: String
    var messages: String

    /// - Parameter input: the commands that it gets from standard input.
    init(of arguments: [String], input: [String] = []) throws {
        let process = try BrowserProcess(arguments)
        process.send(input)
        process.closeInput()
        var lines: [String] = []
        while let line = process.line() { lines.append(line) }
        let end = process.finish()
        status = end.status
        isSignal = end.reason == .uncaughtSignal
        output = lines.joined(separator: "\n")
        messages = process.messages
    }
}
