import Foundation
import Testing

/// A `save-loop` in a process of its own, until it is killed.
final class SavingProcess {
    private let process: Process
    private let pipe = Pipe()
    private var output = ""

    init(_ store: String, durability: String = "powerLoss") throws {
        process = try Tool.process(["save-loop", "--storage", store, "--durability", durability])
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    var processIdentifier: Int32 { process.processIdentifier }

    /// The numbers of the saves that it acknowledged so far; a line that was cut does not count.
    private var acknowledged: [Int] {
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .compactMap { Int($0.dropFirst("saved ".count)) }
    }

    /// Waits until it acknowledged so many saves more; returns all of them.
    @discardableResult
    func wait(forSaves count: Int) throws -> [Int] {
        while acknowledged.count < count {
            let data = pipe.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the process ended by itself")
            output += String(decoding: data, as: UTF8.self)
        }
        return acknowledged
    }

    /// Kills it with SIGKILL after it acknowledged so many saves; returns all that it acknowledged.
    func kill(afterSaves count: Int) throws -> [Int] {
        try wait(forSaves: count)
        Foundation.kill(process.processIdentifier, SIGKILL)
        let rest = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationReason == .uncaughtSignal)
        output += String(decoding: rest, as: UTF8.self)
        return acknowledged
    }
}
