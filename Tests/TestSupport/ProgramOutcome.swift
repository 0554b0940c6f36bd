import BrowserSessions
import ChildProcesses
import Foundation
import StorageConformance
import StorageEngines

/// What came of a program that ran to its end.
package struct ProgramOutcome {
    package var status: Int32
    package var output: String
    package var messages: String

    package init(status: Int32, output: String, messages: String) {
        self.status = status
        self.output = output
        self.messages = messages
    }

    /// Blocks until it has ended; throws if a signal ends it.
    ///
    /// - Parameter command: its path and its arguments.
    package init(of command: [String], environment: [String: String] = [:]) throws {
        let folder = TemporaryFolder()
        let (output, messages) = (folder.file("output"), folder.file("messages"))
        let end = try RunningProgram(
            command, environment: environment, output: .file(output), messages: .file(messages)
        ).end()
        guard let status = end.status else { throw HarnessFault("\(command) \(end)") }
        self.status = status
        self.output = String(decoding: try FileSystem.read(output), as: UTF8.self)
        self.messages = String(decoding: try FileSystem.read(messages), as: UTF8.self)
    }
}
