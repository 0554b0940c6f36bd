import BrowserSessions
import Expectations
import LocalFiles
import TestSupport

struct DemoTests {
    func run(
        _ workspace: Workspace, _ environment: [String: String] = [:],
        location: String = "demo.{backend}", options: [String] = []
    ) throws -> ProgramOutcome {
        let config = workspace.file("storage.json")
        let text = "{\"backend\": \"sqlite\", \"location\": \"\(location)\"}"
        try FileSystem.replace(config, with: [UInt8](text.utf8))
        return try Tool.run(
            ["demo", "--config", config, "--sessions", Workspace.sample, "--saves", "10"]
                + options,
            environment: environment)
    }

    @Test func theDemoEndsWellAndLeavesNothing() throws {
        let workspace = Workspace()
        let outcome = try run(workspace)
        expect(outcome.status, is: 0, "\(outcome.messages)")
        expect(outcome.messages.isEmpty)
        expect(outcome.output.contains("All 3 restored exactly the same content."))
        expect(outcome.output.hasSuffix("nothing that was acknowledged was lost.\n"))
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }

    @Test func storesThatAreKeptCanBeLookedIntoUntilTheNextDemo() throws {
        let workspace = Workspace()
        expect(try run(workspace, options: ["--keep"]).status == 0)
        for backend in ["directory", "leveldb", "sqlite"] {
            let listed = try Tool.run(
                ["list", "--config", workspace.file("storage.json")],
                environment: ["SESSION_STORAGE_BACKEND": backend])
            expect(listed.status == 0 && !listed.output.isEmpty, "\(listed.messages)")
        }
        expect(try run(workspace).status == 0)
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }

    @Test func theDemoNeverTouchesAStoreThatTheEnvironmentSelects() throws {
        let workspace = Workspace()
        let mine = workspace.file("mine")
        _ = try Tool.run(["init", "--storage", "sqlite://\(mine)"])
        let before = try FileSystem.files(in: mine)
        let environment = ["SESSION_STORAGE_BACKEND": "sqlite", "SESSION_STORAGE_LOCATION": mine]
        let outcome = try run(workspace, environment)
        expect(outcome.status, is: 0, "\(outcome.messages)")
        expect(try FileSystem.files(in: mine) == before)
    }

    @Test func theDemoRemovesOnlyStoresOfADemo() throws {
        let workspace = Workspace()
        let mine = try workspace.imported("leveldb", "demo.leveldb")
        let before = try FileSystem.files(in: workspace.file("demo.leveldb"))
        let outcome = try run(workspace)
        expect(outcome.status, is: 2)
        expect(outcome.messages.contains("is there already"))
        expect(try FileSystem.files(in: workspace.file("demo.leveldb")) == before)
        expect(try Tool.run(["check", "--storage", mine]).status == 0)
        // What an interrupted demo left has a mark beside it.
        try FileSystem.replace(workspace.file("demo.leveldb.demo"), with: [])
        expect(try run(workspace).status == 0)
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }

    @Test func theDemoNeedsALocationForEachBackend() throws {
        let workspace = Workspace()
        let outcome = try run(workspace, location: "demo")
        expect(outcome.status, is: 2)
        expect(outcome.messages.contains("must contain {backend}"))
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }
}
