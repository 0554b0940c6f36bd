import BrowserSessions
import ChildProcesses
import CommandLineSupport
import Foundation
import StorageEngines

/// A launcher that carries out an order in another process of the same program.
struct ChildLauncher: Sendable {
    var executable = OwnProgram.path
    /// The program that counts syncs; `nil` if there is none.
    var tracer = SyncTrace.tracer()
    var interruption = Interruption()

    func launch(_ order: JobOrder) async -> ChildOutcome {
        await BlockingWork.run { run(order) }
    }

    /// Blocks until the child has ended, and keeps its standard input open until then. A child ends
    /// with its input, so no child outlives its parent.
    private func run(_ order: JobOrder) -> ChildOutcome {
        let log = "\(order.folder)/syncs.log"
        let tracer =
            order.isCounting ? self.tracer.map { [$0] + SyncTrace.arguments(log: log) } : nil
        let program: RunningProgram
        do {
            let text = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
            program = try RunningProgram(
                (tracer ?? []) + [executable, JobOrder.commandName, text],
                environment: ProcessInfo.processInfo.environment, input: .pipe, output: .pipe,
                messages: .pipe)
        } catch {
            return ChildOutcome(problem: "no child process could be started: \(error)")
        }
        interruption.watch { program.closeInput() }
        // Standard error gets at most a few words, so its pipe does not fill.
        let answers = program.readToEnd()
        let end = program.end()
        interruption.watch(nil)
        var outcome = ChildOutcome(answers: Self.read(answers))
        outcome.problem = Self.problem(
            end, String(decoding: program.readToEnd(2), as: UTF8.self))
        if tracer != nil, let trace = try? FileSystem.read(log) {
            outcome.syncs = SyncTrace.counts(in: String(decoding: trace, as: UTF8.self))
        }
        return outcome
    }

    private static func read(_ output: [UInt8]) -> [JobAnswer] {
        output.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(JobAnswer.self, from: Data($0))
        }
    }

    /// Returns how the child ended if it failed; otherwise, `nil`.
    private static func problem(_ end: ProcessEnd, _ words: String) -> String? {
        let last = words.split(separator: "\n").last.map { ": \($0.prefix(300))" } ?? ""
        return switch end {
        case .exited(0): nil
        // A tracer that does not die of the signal itself reports it as a number above 128.
        case .exited(let code): "its process ended with code \(code)\(last)"
        case .signal(let number): "its process was ended by signal \(number)\(last)"
        }
    }
}
