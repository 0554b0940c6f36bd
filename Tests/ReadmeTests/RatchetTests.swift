import Expectations
import Foundation
import TestSupport

@Suite("the ratchet")
struct RatchetTests {
    private let folder = TemporaryFolder()

    @Test("a number rises only where a commit's message grants it")
    func granted() throws {
        let script = packageRoot.appending(path: ".ci/ratchet")
        try folder.write(try Data(contentsOf: script), to: ".ci/ratchet")
        try run("git", "-C", folder.path, "init", "--quiet")
        try commit("count 1 line", lines: 1, whole: 3)
        expect(try errors().isEmpty)
        try commit("write a second", lines: 2, whole: 3)
        expect(try errors().contains("code product rose from 1 to 2 in "))
        try run("git", "-C", folder.path, "reset", "--quiet", "--soft", "HEAD~")
        try commit("write a second\n\nGranted: code product 1", lines: 2, whole: 3)
        expect(try errors().isEmpty)
        try commit("take longer", lines: 2, whole: 4)
        expect(try errors().contains("suite whole rose from 3 to 4 in "))
    }

    private func commit(_ message: String, lines: Int, whole: Int) throws {
        try folder.write(String(repeating: "f()\n", count: lines).utf8, to: "Sources/a.swift")
        try folder.write("code product \(lines)\n".utf8, to: ".ci/ratchet.txt")
        try folder.write("suite whole \(whole)\n".utf8, to: ".ci/budget.txt")

        try run("git", "-C", folder.path, "add", "Sources", ".ci/ratchet.txt", ".ci/budget.txt")
        try run(
            "git", "-C", folder.path, "-c", "user.name=a", "-c", "user.email=a@example.com",
            "commit",
            "--quiet", "--message", message)
    }

    private func errors() throws -> String { try run("perl", folder.file(".ci/ratchet")) }

    @discardableResult
    private func run(_ command: String...) throws -> String {
        try ProgramOutcome(of: ["/usr/bin/env"] + command).messages
    }
}
