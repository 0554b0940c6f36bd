import Foundation
import ServedRecords
import StorageConformance

/// `recordserver SOCKET FOLDER`: serves until its input ends, and then removes its folder: the
/// process that made it may have been killed. `recordserver child`: does a part of a case.
@main
struct RecordServerMain {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "child" {
            let isSealed = arguments.contains("sealed")
            await ConformanceChild.run(
                harness: try ServedHarness(startsProcesses: true, isSealed: isSealed))
        }
        guard arguments.count == 3 else { fatalError("usage: recordserver SOCKET FOLDER") }
        Thread.detachNewThread {
            _ = FileHandle.standardInput.readDataToEndOfFile()
            try? FileManager.default.removeItem(atPath: arguments[2])
            exit(0)
        }
        try RecordServer(folder: arguments[2]).run(at: arguments[1]) {
            FileHandle.standardOutput.write(Data("ready\n".utf8))
        }
    }
}
