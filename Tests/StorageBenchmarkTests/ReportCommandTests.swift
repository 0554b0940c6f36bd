import ArgumentParser
import CommandLineSupport
import Expectations
import Foundation
import StorageEngines
import TestSupport

@testable import StorageBenchmark

@Suite("The commands report and compare")
struct ReportCommandTests {
    private let folder = TemporaryFolder()

    private func results(
        _ name: String = "r.json", _ report: BenchReport = SampleReport.full()
    ) throws -> String {
        try folder.write(try report.formatted(.json).utf8, to: name)
    }

    private func read(_ name: String) throws -> String {
        String(decoding: try FileSystem.read(folder.file(name)), as: UTF8.self)
    }

    /// Returns the exit code.
    private func compare(_ arguments: [String]) throws -> Int32 {
        do {
            try CompareCommand.parse(arguments).run()
            return 0
        } catch let code as ExitCode { return code.rawValue }
    }

    @Test func compareEndsWith0And1And2() throws {
        var slow = SampleReport.full()
        slow.results[0].floorRatio *= 1.5
        slow.results[0].ratioInterval95 = slow.results[0].ratioInterval95?.map { $0 * 1.5 }
        let (old, new) = (try results("old.json"), try results("new.json", slow))
        expect(try compare([old, old]) == 0)
        expect(try compare([old, new]) == 1)
        expect(try compare([old, new, "--fail-above", "60%"]) == 0)
        slow.results = []
        expect(try compare([old, try results("empty.json", slow)]) == 2)
        let broken = try folder.write("{".utf8, to: "broken.json")
        for (file, words) in [(broken, "it is no whole report"), ("none.json", "cannot read")] {
            let error = expect(throws: CommandError.self) { try compare([old, file]) }
            expect(error?.message.contains("'\(file)'"), is: true)
            expect(error?.message.contains(words), is: true, "\(file)")
        }
    }

    @Test(arguments: ["10%", "10 %", " 10%"])
    func limitsArePercent(text: String) throws {
        expect(try CompareCommand.limit(text) == 0.1)
    }

    @Test(arguments: ["10", "0.1", "-1%", "%", "ten%", "10%%", "nan%", "inf%", ""])
    func otherLimitsAreWrongUsage(text: String) {
        let error = expect(throws: (any Error).self) {
            try CompareCommand.parse(["a", "b", "--fail-above=\(text)"])
        }
        expect(error.map { CompareCommand.exitCode(for: $0).rawValue }, is: 64)
    }

    @Test func anyFormatIsMadeOfEarlierResults() throws {
        let file = try results()
        for format in BenchFormat.allCases {
            let arguments = [
                file, "--format", format.rawValue, "--output", folder.file("made"),
            ]
            try ReportCommand.parse(arguments).run()
            expect(try read("made") == SampleReport.full().formatted(format))
        }
    }

    @Test func theBlockOfAReadmeIsRewritten() throws {
        let (begin, end) = (MarkedBlock.begin, MarkedBlock.end)
        let file = try folder.write(
            "# A `\(begin)`\n\(begin)\nold\n\(end)\nrest".utf8, to: "README.md")
        for _ in 0..<2 { try ReportCommand.parse([try results(), "--readme", file]).run() }
        let tables = try SampleReport.full().formatted(.markdown)
        expect(try read("README.md") == "# A `\(begin)`\n\(begin)\n\n\(tables)\n\(end)\nrest")
    }

    @Test(arguments: [
        "", "\(MarkedBlock.begin)\n", "\(MarkedBlock.end)\n\(MarkedBlock.begin)\n",
        "\(MarkedBlock.begin)\n\(MarkedBlock.end)\n\(MarkedBlock.begin)\n\(MarkedBlock.end)\n",
    ])
    func aReadmeWithoutOneBlockStaysAsItIs(text: String) throws {
        let file = try folder.write(text.utf8, to: "README.md")
        let error = expect(throws: CommandError.self) {
            try ReportCommand.parse([try results(), "--readme", file]).run()
        }
        expect(error?.message.contains("it needs one line"), is: true)
        expect(try read("README.md") == text)
    }

    @Test func theArticleHasABlock() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appendingPathComponent(
                "Sources/BrowserSessions/BrowserSessions.docc/ChoosingABackend.md"),
            encoding: .utf8)
        let after = try MarkedBlock.replaced(in: article, with: "tables")
        expect(after.contains("begin -->\ntables\n<!--"))
    }
}
