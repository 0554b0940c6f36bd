import BrowserSessions
import Expectations
import Foundation
import TestSupport

/// An object a line, the same as the elements of the JSON.
struct JSONLinesTests {
    let workspace: Workspace
    let store: String

    init() throws {
        workspace = Workspace()
        store = try workspace.imported("sqlite")
    }

    func lines(_ arguments: [String]) throws -> [JSON] {
        let outcome = try Tool.run(arguments + ["--storage", store, "--format", "json-lines"])
            .expectSuccess()
        expect(outcome.hasSuffix("\n"))
        return try outcome.split(separator: "\n").map {
            try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
        }
    }

    func json(_ arguments: [String]) throws -> JSON {
        try Tool.run(arguments + ["--storage", store, "--format", "json"]).json()
    }

    @Test func sessions() throws {
        let lines = try lines(["list"])
        expect(lines.count, is: 17)
        // Each is there as soon as it is known, so they come as the store has them.
        let sorted = lines.sorted { $0["session"].text ?? "" < $1["session"].text ?? "" }
        expect(sorted, is: lines)
        let all = try json(["list"]).elements
        expect(sorted, is: all.sorted { $0["session"].text ?? "" < $1["session"].text ?? "" })
    }

    @Test func tabs() throws {
        let arguments = ["show", "3F9D5A1C", "--states"]
        let lines = try lines(arguments)
        expect(lines.count, is: 6)
        expect(try lines == json(arguments)["tabs"].elements)
    }

    @Test func sources() throws {
        let arguments = ["import", Workspace.sample]
        expect(try lines(arguments) == json(arguments)["sources"].elements)
    }

    @Test("A result of one object is one line", arguments: ["digest", "check", "init"])
    func one(command: String) throws {
        expect(try lines([command]) == [json([command])])
    }

    /// Rows are written when they are known: who wants the first one waits for no other.
    @Test func theReaderOfAFewRowsEndsTheTool() async throws {
        let (workspace, window) = (Workspace(), LookTests.window)
        let store = try await workspace.store(holding: LookTests().tabs(0..<2000))
        let show = ["show", "\(window)", "--format", "json-lines", "--storage", store]
        // More than a pipe takes.
        expect(try Tool.run(show).output.utf8.count > 2 * 65536)
        let outcome = try Shell.run(
            "{ $SESSIONCTL show \(window) --format json-lines --storage $STORE; echo $? >&2; } | head -n 1",
            ["STORE": store])
        expect(outcome.output.split(separator: "\n").count, is: 1)
        expect(outcome.messages, is: "2\n")
    }
}
