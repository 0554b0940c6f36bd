import ArgumentParser
import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import TestSupport

@testable import StorageBenchmark

@Suite("The commands report and compare")
struct ReportCommandTests {
    func compare(_ arguments: [String]) throws -> CommandOutcome {
        try CompareCommand.parse(arguments).outcome()
    }

    func report(_ arguments: [String]) throws -> CommandOutcome {
        try ReportCommand.parse(arguments).outcome()
    }

    @Test func compareEndsWith0And1And2() throws {
        let folder = TemporaryFolder()
        let old = try folder.results("old.json")
        var slow = SampleReport.full()
        slow.results[0].floorRatio *= 1.5
        slow.results[0].ratioInterval95 = slow.results[0].ratioInterval95?.map { $0 * 1.5 }
        let new = try folder.results("new.json", slow)
        let same = try compare([old, old])
        expect(same.status == 0 && same.messages.isEmpty)
        let worse = try compare([old, new])
        expect(worse.status == 1 && worse.output.contains("SLOWER +50 %"))
        expect(try compare([old, new, "--fail-above", "60%"]).status == 0)
        let broken = try folder.write("{".utf8, to: "broken.json")
        let unreadable = try compare([old, broken])
        expect(unreadable.status == 2 && unreadable.output.isEmpty)
        expect(unreadable.messages.first?.contains("broken.json': this is not JSON"), is: true)
        let missing = try compare([old, "\(folder.path)/none.json"])
        expect(missing.status == 2 && missing.messages.first?.contains("none.json'") == true)
        slow.results = []
        let nothing = try compare([old, try folder.results("empty.json", slow)])
        expect(nothing.status == 2 && nothing.messages.last?.contains("Nothing could be") == true)
    }

    @Test func otherEnvironmentsAreWarnedOf() throws {
        let folder = TemporaryFolder()
        var other = SampleReport.full()
        other.environment.cpu = "another"
        let outcome = try compare([
            try folder.results("a.json"), try folder.results("b.json", other), "--format", "json",
        ])
        expect(outcome.status, is: 0)
        expect(outcome.messages.first?.contains("warning: different processor"), is: true)
        expect(outcome.output.hasPrefix("{"), "warnings stay out of standard output")
    }

    @Test(arguments: ["10%", "10 %", " 10%"])
    func limitsArePercent(text: String) throws {
        expect(try CompareCommand.limit(text) == 0.1)
    }

    @Test(arguments: ["10", "0.1", "-1%", "%", "ten%", "10%%", "nan%", "inf%", ""])
    func otherLimitsAreWrongUsage(text: String) {
        let error = #expect(throws: (any Error).self) {
            try CompareCommand.parse(["a", "b", "--fail-above=\(text)"])
        }
        expect(error.map { CompareCommand.exitCode(for: $0).rawValue }, is: 64)
    }

    @Test func unknownFormatsAreWrongUsageAndNamed() {
        let error = #expect(throws: (any Error).self) {
            try ReportCommand.parse(["a", "--format", "pdf"])
        }
        expect(error.map { ReportCommand.exitCode(for: $0).rawValue }, is: 64)
        expect(error.map { ReportCommand.message(for: $0) }?.contains("text, markdown"), is: true)
        #expect(throws: (any Error).self) {
            try ReportCommand.parse(["a", "--readme", "b", "--format", "json"])
        }
    }

    @Test func anyFormatIsMadeOfEarlierResults() throws {
        let folder = TemporaryFolder()
        let results = try folder.results("r.json")
        for format in BenchFormat.allCases {
            let wanted = try SampleReport.full().formatted(format)
            expect(try report([results, "--format", format.rawValue]).output == wanted)
        }
        let outcome = try report([results, "--output", "\(folder.path)/page.md"])
        expect(outcome.status == 0 && outcome.output.isEmpty)
        expect(try folder.read("page.md") == SampleReport.full().formatted(.markdown))
        let nowhere = try report([results, "--output", "\(folder.path)/none/page.md"])
        let folderItself = try report([results, "--output", folder.path])
        expect(folderItself.messages.first?.contains("it is a folder"), is: true)
        expect(nowhere.status == 2 && nowhere.messages.first?.contains("cannot write") == true)
    }

    @Test func theBlockOfAReadmeIsRewritten() throws {
        let folder = TemporaryFolder()
        let results = try folder.results("r.json")
        let (begin, end) = (MarkedBlock.begin, MarkedBlock.end)
        let file = try folder.write("# A\n\(begin)\nold\n\(end)\nrest\n".utf8, to: "README.md")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link.md", withDestinationPath: "README.md")
        expect(try report([results, "--readme", "\(folder.path)/link.md"]).status == 0)
        let tables = try SampleReport.full().formatted(.markdown)
        expect(try folder.read("README.md") == "# A\n\(begin)\n\n\(tables)\n\(end)\nrest\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        expect(attributes[.posixPermissions] as? Int == 0o640)
        let link = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/link.md")
        expect(link[.type] as? FileAttributeType == .typeSymbolicLink)
        let again = try report([results, "--readme", file])
        expect(again.messages.first?.contains("is up to date"), is: true)
        expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
    }

    @Test func aReadmeWithoutMarksStaysAsItIs() throws {
        let folder = TemporaryFolder()
        let results = try folder.results("r.json")
        let file = try folder.write(
            "# A\n\(MarkedBlock.end)\n\(MarkedBlock.begin)\n".utf8, to: "README.md")
        let outcome = try report([results, "--readme", file])
        expect(outcome.status, is: 2)
        expect(outcome.messages.first?.contains("put them in order"), is: true)
        expect(try folder.read("README.md") == "# A\n\(MarkedBlock.end)\n\(MarkedBlock.begin)\n")
    }
}

extension TemporaryFolder {
    fileprivate func read(_ name: String) throws -> String {
        String(decoding: try FileSystem.read(file(name)), as: UTF8.self)
    }

    fileprivate func results(_ name: String, _ report: BenchReport = SampleReport.full()) throws
        -> String
    {
        try write(try report.formatted(.json).utf8, to: name)
    }
}
