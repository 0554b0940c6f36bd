import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

struct DemoTests {
    private let workspace = Workspace()

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
        let outcome = try run(workspace).expectSuccess(isSilent: true)
        expect(outcome.contains("All 3 restored exactly the same content."))
        expect(outcome.hasSuffix("nothing that was acknowledged was lost.\n"))
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }

    @Test func storesThatAreKeptCanBeLookedIntoUntilTheNextDemo() throws {
        try run(workspace, options: ["--keep"]).expectSuccess()
        for backend in ["directory", "leveldb", "sqlite"] {
            let listed = try Tool.run(
                ["list", "--config", workspace.file("storage.json")],
                environment: ["SESSION_STORAGE_BACKEND": backend])
            expect(listed.status == 0 && !listed.output.isEmpty, "\(listed.messages)")
        }
        try run(workspace).expectSuccess()
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }

    @Test func theDemoNeverTouchesAStoreThatTheEnvironmentSelects() throws {
        let mine = workspace.file("mine")
        _ = try Tool.run(["init", "--storage", "sqlite://\(mine)"])
        let before = try FileSystem.files(in: mine)
        let environment = ["SESSION_STORAGE_BACKEND": "sqlite", "SESSION_STORAGE_LOCATION": mine]
        try run(workspace, environment).expectSuccess()
        expect(try FileSystem.files(in: mine) == before)
    }

    @Test func theDemoRemovesOnlyStoresOfADemo() throws {
        let mine = try workspace.imported("leveldb", "demo.leveldb")
        let before = try FileSystem.files(in: workspace.file("demo.leveldb"))
        try run(workspace).expectRefusal("is there already", isPartial: true)
        expect(try FileSystem.files(in: workspace.file("demo.leveldb")) == before)
        try Tool.run(["check", "--storage", mine]).expectSuccess()
        // What an interrupted demo left has a mark beside it.
        try FileSystem.replace(workspace.file("demo.leveldb.demo"), with: [])
        try run(workspace).expectSuccess()
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }

    @Test func theDemoNeedsALocationForEachBackend() throws {
        try run(workspace, location: "demo").expectRefusal(
            "must contain {backend}", isPartial: true)
        expect(try FileSystem.contents(of: workspace.path) == ["storage.json"])
    }
}
