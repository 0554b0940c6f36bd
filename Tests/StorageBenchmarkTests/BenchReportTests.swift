import BrowserSessions
import Expectations
import Foundation
import StorageBenchmark

@Suite("The document of a run")
struct BenchReportTests {
    /// As the first form of schema 1 had it, with an unknown key.
    static let old = """
        {"schema": 1, "environment": {"cpu": "x", "kernel": "6.1", "filesystem": "ext4",
         "swift": "6.3", "libraries": {"sqlite": "3.40.1"}, "revision": "", "seed": 1,
         "command": "storagebench", "unknown": true},
         "results": [{"backend": "sqlite", "workload": "save-one-tab", "tabs": 1000,
         "stateBytes": 0, "durability": "powerLoss", "samples": 400,
         "microseconds": {"p50": 150, "p90": 200, "p99": 310, "max": 900},
         "interval95": [148, 153], "floorMicroseconds": 100, "floorRatio": 1.5,
         "bytesWritten": 8192, "syncs": 1, "peakRSSBytes": 20000000, "verified": true}]}
        """

    @Test func anOldFileIsRead() throws {
        let report = try JSONDecoder().decode(BenchReport.self, from: Data(Self.old.utf8))
        expect(report.schema, is: 1)
        expect(report.environment.libraries, is: ["sqlite": "3.40.1"])
        let row = try #require(report.results.first)
        expect(row.durability, is: .powerLoss)
        expect(row.microseconds.p99, is: 310)
        expect(row.role == nil)
        expect(report.incompleteBecause == nil)
    }

    @Test func itComesBackAsItWasWritten() throws {
        let report = try JSONDecoder().decode(BenchReport.self, from: Data(Self.old.utf8))
        let again = try JSONDecoder().decode(
            BenchReport.self, from: try JSONEncoder().encode(report))
        expect(again, is: report)
    }
}
