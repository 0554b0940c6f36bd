import Expectations
import Foundation
import StorageConformance
import TestSupport

@Suite("storagecheck verify-suite")
struct VerifySuiteTests {
    @Test func theFaultyBackendsAreCaughtByAnotherProcess() throws {
        let outcome = try CheckTool.run([
            "verify-suite", "--mutant", "closes-once", "--format", "json",
        ])
        expect(outcome.status, is: 0)
        let matrix = try JSONDecoder().decode(KillMatrix.self, from: Data(outcome.output.utf8))
        expect(matrix.rows.map(\.name), is: ["closes-once"])
        expect(matrix.rows.first?.effect, is: .caught, "\(matrix.rows)")
    }
}
