import BrowserSessions
import ChildProcesses
import Expectations
import Foundation
import StorageConformance
import TestSupport

@testable import StorageBenchmark

/// The built program, run as people run it.
@Suite("The program")
struct ToolTests {
    @Test func childrenMeasureAndTheReportIsWritten() throws {
        let place = TemporaryFolder()
        let file = "\(place.path)/report.json"
        let tool = try Tool([
            "--backends", "directory,dry", "--workloads", "restore,save-one-tab", "--tabs", "10",
            "--samples", "4", "--folder", place.path, "--output", file,
        ])
        let messages = tool.end()
        expect(tool.status, is: 0, "\(messages)")
        let report = try Self.read(file)
        expect(report.results.count, is: 6)
        expect(report.results.allSatisfy { $0.verified })
        expect(report.environment.command.hasPrefix("storagebench --backends"))
        expect(!report.environment.cpu.isEmpty && !report.environment.kernel.isEmpty)
        expect(report.environment.libraries["sqlite"]?.hasPrefix("3."), is: true)
        expect(report.environment.libraries["leveldb"]?.hasPrefix("1."), is: true)
        let save = report.results.first {
            $0.backend == "directory" && $0.workload == "save-one-tab"
                && $0.durability == .powerLoss
        }
        if SyncTrace.tracer() != nil { expect(save?.syncs, is: 1) }
        #if os(Linux)
            // A record with a whole window would have some thousand.
            expect((150...900).contains(save?.bytesWritten ?? 0))
            let dry = report.results.filter { $0.backend == "dry" }
            expect(dry.allSatisfy { $0.bytesWritten == 0 && $0.syncs == 0 })
        #endif
        expect(place.contents, is: ["report.json"])
    }

    @Test func anInterruptionLeavesAReportAndNothingElse() throws {
        let place = TemporaryFolder()
        let file = "\(place.path)/report.json"
        let tool = try Tool([
            "--backends", "directory", "--tabs", "10", "--samples", "100000",
            "--folder", place.path, "--output", file,
        ])
        // As soon as it says that it is at work.
        _ = tool.program.read(2)
        tool.program.send(SIGINT)
        let messages = tool.end()
        expect(tool.status, is: 130, "\(messages)")
        expect(try Self.read(file).incompleteBecause?.contains("interrupted") == true)
        expect(place.contents, is: ["report.json"])
    }

    private static func read(_ file: String) throws -> BenchReport {
        try BenchReport(file: file)
    }
}

/// A process of the program.
struct Tool {
    let program: RunningProgram

    /// - Parameter output: a file for what it prints, which is thrown away otherwise.
    init(_ arguments: [String], output: String? = nil) throws {
        program = try RunningProgram(
            [BuiltProgram.named("storagebench").path] + arguments,
            output: output.map { .file($0) } ?? .nothing, messages: .pipe)
    }

    /// `nil` if a signal ended it.
    var status: Int32? { program.end().status }

    /// Waits for the end; what it said on its standard error.
    func end() -> String {
        let text = program.readToEnd(2)
        program.end()
        return String(decoding: text, as: UTF8.self)
    }
}
