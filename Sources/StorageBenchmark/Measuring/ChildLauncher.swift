import BrowserSessions
import CommandLineSupport
import Dispatch
import Foundation
import LocalFiles

/// A launcher that carries out an order in another process of the same program.
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

    /// Blocks until the child has ended, and keeps its standard input open until then. A child ends
    /// with its input, so no child outlives its parent.
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
        // Standard error gets at most a few words, so its pipe does not fill.
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

    /// Returns how the child ended if it failed; otherwise, `nil`.
    private static func problem(_ process: Process, _ words: String) -> String? {
        let last = words.split(separator: "\n").last.map { ": \($0.prefix(300))" } ?? ""
        if process.terminationReason == .uncaughtSignal {
            return "its process was ended by signal \(process.terminationStatus)\(last)"
        }
        // A tracer that does not die of the signal itself reports it as a number above 128.
        guard process.terminationStatus != 0 else { return nil }
        return "its process ended with code \(process.terminationStatus)\(last)"
    }
}
