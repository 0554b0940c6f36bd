#if os(Linux)
    import BrowserSessions
    import Foundation
    import TestSupport
    import Expectations

    @testable import sessionctl

    /// The page for operators shows what the tool prints.
    struct ToolPageTests {
        private static let page = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Sources/BrowserSessions/BrowserSessions.docc/TheTool.md")

        private func text() throws -> String { try String(contentsOf: Self.page, encoding: .utf8) }

        @Test("What the page shows is printed")
        func outputs() throws {
            let workspace = Workspace()
            let store = workspace.store("sqlite")
            let sample = Workspace.sample + "/chrome-ios"
            try Tool.run(["import", sample, "--storage", store]).expectSuccess()
            let text = try text()
            func shown(_ arguments: [String]) throws -> String {
                try PseudoTerminal.run(
                    arguments + ["--storage", store], columns: 80,
                    ["NO_COLOR": "1", "TZ": "UTC"]
                ).output
            }
            let list = try shown(["list"])
            expect(text.contains("```\n\(list)```\n"), "\(list)")
            let rm = try shown(["rm", "3F9D5A1C/inactive", "311FD67E", "--dry-run"])
            expect(text.contains("--dry-run\n\(rm)```\n"), "\(rm)")
            // Sizes of files are the engine's.
            let du = try shown(["du"]).split(separator: "\n\n")
            expect(du.count == 2 && text.contains("```\n\(du[0])\n\n"), "\(du)")
            for line in du[1].split(separator: "\n") {
                let name = try require(line.split(separator: "  ").first)
                expect(text.contains("\n\(name)  "), "\(line)")
            }
            expect(
                try Tool.run(["rm", "3F9D5A1C/inactive", "311FD67E", "--storage", store]).status
                    == 0)
            let points = try shown(["points"])
                .replacing(#/(today|yesterday) \d\d:\d\d/#, with: "today 14:00")
                .replacing(#/\d\.\d KiB/#, with: "6.5 KiB")
            expect(text.contains("```\n\(points)```\n"), "\(points)")
            for command in [
                ["diff", "latest", "current"], ["restore", "--at", "latest", "--dry-run"],
            ] {
                let output = try shown(command)
                let words = command.joined(separator: " ")
                expect(text.contains("$ sessionctl \(words)\n\(output)```\n"), "\(output)")
            }
        }

        @Test("Every command is named on the page")
        func commands() throws {
            let text = try text()
            for (name, _) in LookTests.commands() where name[0] != "save-loop" && name[0] != "demo"
            {
                let isNamed =
                    text.contains("`\(name.joined(separator: " "))")
                    || text.contains("sessionctl \(name.joined(separator: " "))")
                    || name.count == 1 && text.contains("| \(name[0]) |")
                expect(isNamed, "\(name)")
            }
            for block in text.matches(of: #/^sessionctl ([a-z-]+)/#.anchorsMatchLineEndings()) {
                let name = String(block.output.1)
                expect(LookTests.commands().contains { $0.name[0] == name }, "\(name)")
            }
        }
    }
#endif
