import ChildProcesses
import Expectations
import Foundation
import TestSupport

/// A `save-loop` in a process of its own, until it is killed.
final class SavingProcess {
    private let program: RunningProgram
    private var output = ""

    init(_ store: String, durability: String = "powerLoss") throws {
        program = try Tool.start(
            ["save-loop", "--storage", store, "--durability", durability], output: .pipe,
            messages: .nothing)
    }

    var processIdentifier: Int32 { program.identifier }

    /// The numbers of the saves that it acknowledged so far; a line that was cut does not count.
    private var acknowledged: [Int] {
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .compactMap { Int($0.dropFirst("saved ".count)) }
    }

    /// Waits until it acknowledged so many saves more; returns all of them.
    @discardableResult
    func wait(forSaves count: Int) throws -> [Int] {
        while acknowledged.count < count {
            let bytes = program.read()
            try require(!bytes.isEmpty, "the process ended by itself")
            output += String(decoding: bytes, as: UTF8.self)
        }
        return acknowledged
    }

    /// Kills it with SIGKILL after it acknowledged so many saves; returns all that it acknowledged.
    func kill(afterSaves count: Int) throws -> [Int] {
        try wait(forSaves: count)
        try require(program.kill() == .signal(SIGKILL))
        output += String(decoding: program.readToEnd(), as: UTF8.self)
        return acknowledged
    }
}
