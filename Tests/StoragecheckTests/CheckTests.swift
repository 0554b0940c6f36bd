import Expectations
import Foundation
import StorageConformance
import TestSupport

@Suite("storagecheck run")
struct CheckTests {
    private let place = TemporaryFolder()
    private var folder: String { place.path }
    private let first = ["--requirement", "CLOSE-1"]

    @Test func aSelectionThatHoldsIsNoCertificate() throws {
        let outcome = try CheckTool.run([
            "--group", "close,limits", "--requirement", "close-1,CLOSE-2", "--requirement",
            "CLOSE-3", "--storage", "directory://\(folder)",
        ])
        expect(outcome.status, is: 0, "\(outcome.messages)")
        let count = ConformanceSuite.requirements.count
        expect(outcome.output.contains("no violation in 3 of \(count) requirements"))
        expect(outcome.output.contains("nothing is said of the others"))
        expect(!outcome.output.contains(": conformant"))
    }

    @Test func withoutAStoreAllBackendsAreChecked() throws {
        let outcome = try CheckTool.run(["run"] + first + ["--format", "json"])
        expect(outcome.status, is: 0, "\(outcome.messages)")
        let report = try JSONDecoder().decode(
            ConformanceReport.self, from: Data(outcome.output.utf8))
        expect(report.harnesses.map(\.name), is: ["directory", "leveldb", "sqlite"])
        expect(report.outcome, is: .partial)
        expect(outcome.messages.contains("seed 1"))
    }

    @Test func formatsGoToTheirFilesAndTheFoldersGo() throws {
        let outcome = try CheckTool.run(
            first + [
                "--storage", "directory://\(folder)/stores", "--format", "junit,markdown",
                "--output", "\(folder)/report.md", "--format", "text",
            ])
        expect(outcome.status, is: 0, "\(outcome.messages)")
        let xml = try String(contentsOfFile: "\(folder)/report.md", encoding: .utf8)
        expect(xml.hasPrefix("<?xml"), "an explicit format wins")
        expect(outcome.output.hasPrefix("# Storage conformance"))
        expect(outcome.output.contains("| passed |\ndirectory (persistence:"), "text follows")
        // Each of the three says that it is no certificate.
        let words = "nothing is said of the others"
        expect(outcome.output.components(separatedBy: words).count, is: 3)
        expect(xml.contains("name=\"result\"") && xml.contains(words))
        expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["report.md"])
    }

    @Test func theEndOfAFileNameIsItsFormat() throws {
        let beginnings = [
            "a.xml": "<?xml", "b.MD": "# Storage", "c.json": "{", "d.txt": "directory",
        ]
        let outcome = try CheckTool.run(
            first + ["--storage", "directory://\(folder)/stores"]
                + beginnings.keys.flatMap { ["--output", "\(folder)/\($0)"] })
        expect(outcome.status, is: 0, "\(outcome.messages)")
        for (file, beginning) in beginnings {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            expect(text.hasPrefix(beginning), "\(file)")
        }
        expect(outcome.output.hasPrefix("directory (persistence"))
    }

    @Test func aFolderWithFilesIsRefused() throws {
        try "mine".write(toFile: "\(folder)/file", atomically: true, encoding: .utf8)
        let outcome = try CheckTool.run(first + ["--storage", "sqlite://\(folder)"])
        expect(outcome.status == 64 && outcome.messages.contains("is not empty"))
        expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }

    @Test func baselinesAndMinimaDecideTheExitCode() throws {
        let file = "\(folder)/baseline"
        let first = first + ["--storage", "directory://\(folder)/stores"]
        for (text, status) in [("CLOSE-1: later\n", Int32(1)), ("CLOSE-1:\n", 64), ("", 0)] {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            expect(try CheckTool.run(first + ["--baseline", file]).status == status)
        }
        expect(try CheckTool.run(first + ["--minimum-graded", "50"]).status == 1)
    }

    @Test func aFolderThatCannotBeMadeIsTheMachinesFault() throws {
        let outcome = try CheckTool.run(first + ["--storage", "directory:///dev/null/x"])
        expect(outcome.status, is: 3, "\(outcome.messages)")
    }

    @Test func theListIsTheContract() throws {
        let outcome = try CheckTool.run(["list", "--format", "markdown"])
        expect(outcome.status, is: 0)
        expect(outcome.output.contains("\n## POWER\n"))
        expect(outcome.output.contains("\n### CLOSE-1\n"))
    }

    @Test func theVersionNamesTheSuiteAndWhatIsBelow() throws {
        let outcome = try CheckTool.run(["--version"])
        expect(outcome.status, is: 0)
        let lines = outcome.output.split(separator: "\n")
        let suite = SuiteRevision.current.rawValue
        expect(lines.first?.hasPrefix("storagecheck "), is: true)
        expect(lines.first?.hasSuffix("(suite revision \(suite))"), is: true)
        let names = lines.dropFirst().map { $0.prefix { $0 != " " } }
        expect(names, is: ["swift", "leveldb", "sqlite"])
    }
}
