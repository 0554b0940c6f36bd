import ChildProcesses
import Foundation

/// A browser in a process group of its own, gone with this value.
///
/// It is killed when it lives longer than it may. A reader that waits for its words then reads their
/// end, so that nothing that talks to a browser needs a limit of its own.
final class BrowserProcess: Sendable {
    let output: ProcessOutput
    private let program: RunningProgram
    private let limit: Double

    /// - Parameters:
    ///   - descriptors: what the browser finds under which number, beside the standard ones.
    ///   - home: where it keeps what belongs to no profile.
    ///   - limit: seconds after which it is killed.
    init(
        _ program: String, _ arguments: [String], descriptors: [Int32: Descriptor] = [:],
        home: String, limit: Double = 120
    ) throws {
        let said = try DescriptorPipe()
        self.program = try RunningProgram(
            [program] + arguments, environment: ["HOME": home, "MOZ_CRASHREPORTER_DISABLE": "1"],
            output: .descriptor(said.write), messages: .output, others: descriptors,
            killsGroup: true, limit: limit)
        output = ProcessOutput(said.read)
        self.limit = limit
        // A browser that has ended must not end the tests when they write to it.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Kills the browser's own process, as a crash would; then what it leaves behind.
    func kill() { program.kill() }

    /// Returns when the browser has ended by itself, or was killed because it did not.
    func waitUntilExit() { program.end() }

    /// How it stands with the browser, for the message of an error.
    var condition: String {
        let time = program.isOverdue ? "was killed after \(limit) s" : "ended or broke off"
        return "the browser \(time) and said last: \(output.lastLines)"
    }
}

/// What went wrong between a test and a browser.
public struct DrivingError: Error, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}
