import BrowserSessions
import CommandLineSupport
import Dispatch
import Foundation
import LocalFiles

/// Lets a process of the same program do an order.
struct ChildLauncher: Sendable {
    var executable = OwnProgram.path
    /// The program that counts syncs; `nil` if there is none.
    var tracer = SyncTrace.tracer()
    var interruption = Interruption()

    func launch(_ order: ChildOrder) async -> ChildOutcome {
        await withCheckedContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(returning: run(order)) }
        }
    }

    /// Blocks until the child has ended. Its standard input stays open until then, and a child
    /// whose input ends, ends: so none outlives its parent.
    private func run(_ order: ChildOrder) -> ChildOutcome {
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let log = "\(order.folder)/syncs.log"
        let traces = order.isCounting && tracer != nil
        do {
            let text = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
            let arguments = [ChildOrder.commandName, text]
            process.executableURL = URL(
                filePath: tracer.flatMap { traces ? $0 : nil } ?? executable)
            process.arguments =
                (traces ? SyncTrace.arguments(log: log) + [executable] : []) + arguments
            try process.run()
        } catch {
            return ChildOutcome(problem: "no child process could be started: \(error)")
        }
        let lifeline = input.fileHandleForWriting
        interruption.watch { try? lifeline.close() }
        // Few words at most come there, so that the pipe does not fill.
        let answers = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        interruption.watch(nil)
        try? lifeline.close()
        let words = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        var outcome = ChildOutcome(answers: Self.read(answers))
        outcome.problem = Self.problem(process, words)
        if traces, let trace = try? FileSystem.read(log) {
            outcome.syncs = SyncTrace.counts(in: String(decoding: trace, as: UTF8.self))
        }
        return outcome
    }

    private static func read(_ output: Data) -> [JobAnswer] {
        output.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(JobAnswer.self, from: $0)
        }
    }

    /// How the child ended, if not well.
    private static func problem(_ process: Process, _ words: String) -> String? {
        let last = words.split(separator: "\n").last.map { ": \($0.prefix(300))" } ?? ""
        if process.terminationReason == .uncaughtSignal {
            return "its process was ended by signal \(process.terminationStatus)\(last)"
        }
        // The tracer says so with a number above 128 where it does not die of the signal itself.
        guard process.terminationStatus != 0 else { return nil }
        return "its process ended with code \(process.terminationStatus)\(last)"
    }
}
