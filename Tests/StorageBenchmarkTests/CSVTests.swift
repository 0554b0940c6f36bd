import BrowserSessions
import Expectations
import Foundation

@testable import StorageBenchmark

@Suite("CSV")
struct CSVTests {
    /// Reads by RFC 4180, strictly.
    static func rows(_ text: String) throws -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field = ""
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let next = scalars.popFirst() {
            switch next {
            case "\"" where isQuoted && scalars.first == "\"":
                field += "\""
                scalars.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(field)
                field = ""
            case "\r" where !isQuoted:
                expect(scalars.popFirst(), is: "\n")
                rows.append(row + [field])
                (row, field) = ([], "")
            default: field.unicodeScalars.append(next)
            }
        }
        try #require(row.isEmpty && field.isEmpty && !isQuoted, "the last line has an end")
        return rows
    }

    @Test func fieldsAreQuotedOnlyWhereNeeded() {
        expect(CSVReport.quoted("plain text"), is: "plain text")
        expect(CSVReport.quoted("a,b"), is: "\"a,b\"")
        expect(CSVReport.quoted("say \"x\""), is: "\"say \"\"x\"\"\"")
        expect(CSVReport.quoted("two\r\nlines"), is: "\"two\r\nlines\"")
        expect(CSVReport.quoted("\""), is: "\"\"\"\"")
        expect(CSVReport.quoted(""), is: "")
    }

    @Test func everyResultIsALineThatComesBack() throws {
        var report = SampleReport.full()
        report.results[3].note = "a \"quote\", a comma\r\nand a new line"
        let rows = try Self.rows(try report.formatted(.csv))
        expect(rows.count, is: report.results.count + 1)
        let header = rows[0]
        expect(rows.allSatisfy { $0.count == header.count })
        let note = try #require(header.firstIndex(of: "note"))
        expect(rows[4][note], is: "a \"quote\", a comma\r\nand a new line")
        let median = try #require(header.firstIndex(of: "microseconds.p50"))
        for (row, result) in zip(rows.dropFirst(), report.results) {
            expect(Double(row[median]), is: result.microseconds.p50)
        }
    }

    /// Fails when somebody adds a key and forgets it here.
    @Test func noKeyIsMissing() throws {
        let names = CSVReport.columns.map(\.name)
        let result = try #require(SampleReport.full().results.first)
        for child in Mirror(reflecting: result).children {
            let key = try #require(child.label)
            expect(names.contains { $0 == key || $0.hasPrefix("\(key).") }, "\(key)")
        }
    }
}
