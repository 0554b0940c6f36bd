import BrowserSessions
import Expectations
import Foundation
import StorageBenchmark

@Suite("Reading and writing the document")
struct DocumentTests {
    func error(_ text: String) -> BenchDocumentError? {
        #expect(throws: BenchDocumentError.self) { try BenchReport(json: Array(text.utf8)) }
    }

    @Test func itComesBackAsItWasWritten() throws {
        var report = SampleReport.full()
        report.incompleteBecause = "interrupted"
        let text = try report.formatted(.json)
        expect(text.hasPrefix("{\n  \"environment\" : {\n    \"command\""))
        expect(text.hasSuffix("}\n"))
        expect(try BenchReport(json: Array(text.utf8)) == report)
    }

    @Test func oldFilesAreRead() throws {
        let report = try BenchReport(json: Array(BenchReportTests.old.utf8))
        expect(report.results.first?.backend, is: "sqlite")
        for format in BenchFormat.allCases {
            expect(try report.formatted(format).contains("sqlite"))
        }
    }

    @Test func newerFilesAreRefused() throws {
        let newer = error("{\"schema\": 2, \"everything\": \"else\"}")
        expect(newer?.code, is: .newerSchema)
        expect(newer?.path, is: "schema")
        expect(newer?.message.contains("reads up to 1; use the storagebench that wrote"), is: true)
        expect(error("{\"schema\": 0}")?.code, is: .wrongValue)
    }

    @Test func brokenFilesAreRefused() throws {
        for text in ["", "storagebench", "[1", String(BenchReportTests.old.dropLast(3))] {
            let broken = error(text)
            expect(broken?.code, is: .broken, "\(text.prefix(20))")
            expect(broken?.description.contains("storagebench --format json"), is: true)
        }
        expect(error("[]")?.code, is: .wrongValue)
    }

    @Test(arguments: [
        ("\"p50\": 150, ", "results[0].microseconds.p50"),
        ("\"kernel\": \"6.1\", ", "environment.kernel"),
        ("\"backend\": \"sqlite\", ", "results[0].backend"), ("\"schema\": 1, ", "schema"),
    ])
    func missingKeysAreNamed(key: String, path: String) throws {
        let text = BenchReportTests.old.replacingOccurrences(of: key, with: "")
        try #require(text != BenchReportTests.old)
        let missing = error(text)
        expect(missing?.code, is: .missingKey)
        expect(missing?.path, is: path)
        expect(missing?.description.hasPrefix("\(path): this key is missing; write"), is: true)
    }

    @Test(arguments: [
        ("\"powerLoss\"", "\"forEver\"", "results[0].durability"),
        ("[148, 153]", "[153, 148]", "results[0].interval95"),
        ("[148, 153]", "[148]", "results[0].interval95"),
        ("\"tabs\": 1000", "\"tabs\": -1", "results[0].tabs"),
        ("\"tabs\": 1000", "\"tabs\": \"many\"", "results[0].tabs"),
    ])
    func impossibleValuesAreNamed(value: String, other: String, path: String) throws {
        let text = BenchReportTests.old.replacingOccurrences(of: value, with: other)
        try #require(text != BenchReportTests.old)
        let wrong = error(text)
        expect(wrong?.code, is: .wrongValue)
        expect(wrong?.path, is: path)
    }

    @Test func whatJSONCannotHoldIsNamed() throws {
        var report = SampleReport.full()
        report.results[2].floorRatio = .infinity
        let wrong = #expect(throws: BenchDocumentError.self) { try report.formatted(.json) }
        expect(wrong?.code, is: .wrongValue)
        expect(wrong?.path, is: "results[2].floorRatio")
    }
}
