import ArgumentParser
import BrowserSessions
import CommandLineSupport
import Dispatch
import Foundation

/// A command that carries out an order of the parent process and answers in lines of JSON.
struct JobCommand: BenchCommand {
    static let configuration = CommandConfiguration(
        commandName: JobOrder.commandName,
        abstract: "Does what another process of this program asks for.",
        shouldDisplay: false)

    @Argument var order: String

    func run(_ context: BenchContext) async throws -> Int32 {
        guard let order = try? JSONDecoder().decode(JobOrder.self, from: Data(order.utf8)) else {
            throw ValidationError("this is for storagebench itself")
        }
        Self.endWithParent()
        do throws(StorageError) {
            let contestant = try context.contestants.contestant(order.contestant)
            try await JobWorker(order: order, contestant: contestant).run(Self.write)
        } catch {
            guard let job = order.jobs.first else { throw error }
            var answer = JobAnswer(job: job)
            answer.failure = "\(error)"
            answer.failureCode = error.code.rawValue
            Self.write(answer)
            Console.message("\(error)")
            return 3
        }
        return 0
    }

    private static func write(_ answer: JobAnswer) {
        guard let line = try? JSONEncoder().encode(answer) else { return }
        // An error needs no handling here, because the end of the parent is detected separately.
        try? StandardStream.output.write(String(decoding: line, as: UTF8.self) + "\n")
    }

    /// Ends this process with its parent, which keeps standard input open while it awaits an answer.
    private static func endWithParent() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            // waits: each turn blocks in read
            while read(0, &byte, 1) > 0 {}
            _exit(130)
        }
    }
}
