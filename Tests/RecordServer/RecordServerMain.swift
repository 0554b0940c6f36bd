import Foundation
import ServedRecords

/// `recordserver SOCKET FOLDER`: serves until its input ends.
@main
struct RecordServerMain {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fatalError("usage: recordserver SOCKET FOLDER") }
        Thread.detachNewThread {
            _ = FileHandle.standardInput.readDataToEndOfFile()
            exit(0)
        }
        try RecordServer(folder: arguments[2]).run(at: arguments[1]) {
            FileHandle.standardOutput.write(Data("ready\n".utf8))
        }
    }
}
