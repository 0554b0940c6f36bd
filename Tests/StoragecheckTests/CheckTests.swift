import Foundation
import StorageConformance
import Testing

@Suite("storagecheck")
struct CheckTests {
    private let first = ["--requirement", "CLOSE-1"]

    @Test func aFilteredRunIsPartial() throws {
        let outcome = try CheckTool.run(first + ["--format", "json"])
        #expect(outcome.status == 2, "\(outcome.messages)")
        let report = try JSONDecoder().decode(
            ConformanceReport.self, from: Data(outcome.output.utf8))
        #expect(report.harnesses.map(\.name) == ["directory", "sqlite", "leveldb"])
        #expect(report.outcome == .partial)
        #expect(outcome.messages.contains("seed 1"))
    }

    @Test func formatsGoToTheirFilesAndTheFoldersGo() throws {
        let folder = try CheckTool.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try CheckTool.run(
            first + [
                "--storage", "directory://\(folder)/stores", "--format", "junit", "--output",
                "\(folder)/report.xml", "--format", "markdown", "--format", "text",
            ])
        #expect(outcome.status == 2, "\(outcome.messages)")
        let xml = try String(contentsOfFile: "\(folder)/report.xml", encoding: .utf8)
        #expect(xml.hasPrefix("<?xml"))
        #expect(outcome.output.hasPrefix("# Storage conformance"))
        #expect(outcome.output.contains("directory (persistence: files"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/stores"))
    }

    @Test func aFolderWithFilesIsRefused() throws {
        let folder = try CheckTool.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "mine".write(toFile: "\(folder)/file", atomically: true, encoding: .utf8)
        let outcome = try CheckTool.run(first + ["--storage", "sqlite://\(folder)"])
        #expect(outcome.status == 64 && outcome.messages.contains("is not empty"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }

    @Test func baselinesAndMinimaDecideTheExitCode() throws {
        let folder = try CheckTool.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/baseline"
        for (text, status) in [("CLOSE-1: later\n", Int32(1)), ("CLOSE-1:\n", 64), ("", 2)] {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try CheckTool.run(first + ["--baseline", file]).status == status)
        }
        #expect(try CheckTool.run(first + ["--minimum-graded", "50"]).status == 1)
    }

    @Test(arguments: [
        ["--group", "CLOES"], ["--requirement", "X-1"], ["--jobs", "0"], ["--format", "html"],
        ["--storage", "sqlitte:///nowhere"], ["--baseline", "/nowhere"], ["--output", "a", "b"],
        ["--list", "--format", "junit"], ["child"],
    ])
    func mistakesOfTheCommandLine(arguments: [String]) throws {
        #expect(try CheckTool.run(arguments).status == 64)
    }

    @Test func aFolderThatCannotBeMadeIsTheMachinesFault() throws {
        let outcome = try CheckTool.run(first + ["--storage", "directory:///dev/null/x"])
        #expect(outcome.status == 3, "\(outcome.messages)")
    }

    @Test func theListIsTheContract() throws {
        let outcome = try CheckTool.run(["--list", "--format", "markdown"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\n## POWER\n"))
        #expect(outcome.output.contains("\n### CLOSE-1\n"))
    }
}
