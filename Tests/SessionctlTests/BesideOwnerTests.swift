import BrowserSessions
import Expectations
import Foundation
import RestorePlans
import StorageEngines
import TestSupport

/// What the tool does with a store that another process, this one, has open.
@Suite("a store in use")
struct BesideOwnerTests {
    private let workspace = Workspace()
    private let looks = LookTests()

    @Test(
        "Every look and dry run works beside the owner and changes nothing",
        arguments: Workspace.backends)
    func looking(backend: String) async throws {
        let store = try await looks.store(backend, .healthy, workspace)
        let (window, here) = ("\(LookTests.window)", ["--storage", store])
        let dryRuns = DryRunTests.commands(workspace, store).filter {
            $0.0.contains(store) && $0.0[0] != "delete-incognito"
        }
        let commands =
            [
                ["list"], ["show", window], ["check"], ["digest"], ["export", "-"],
                ["export", "-", "--as", "markdown"], ["show", window, "--previous"],
                ["find", "title"], ["points"],
            ].map { ($0 + here, says: "") } + dryRuns.map { ($0.0 + ["--dry-run"], says: $0.says) }
        try await workspace.withStore(store) { owner in
            _ = try await owner.save(looks.tabs(0..<7))
            let before = try looks.picture(workspace.path)
            for (command, words) in commands {
                let outcome = try Tool.run(command)
                expect(outcome.status, is: 0, "\(command): \(outcome.messages)")
                expect(words == "" || outcome.output.contains(words), "\(outcome.output)")
                expect(outcome.messages.contains("as of 20"), "\(command)")
                expect(outcome.messages.contains("the store is in use"), "\(command)")
                expect(try looks.picture(workspace.path) == before, "\(command)")
            }
            let shown = try Tool.run(["show", window, "--format", "json"] + here)
            expect(try shown.json()["tabs"].elements.count == 7)
            for command in [["repair"], ["erase-removed"], ["remove", "--force"]] {
                expect(try Tool.run(command + here).status != 0, "\(command)")
                expect(try looks.picture(workspace.path) == before, "\(command)")
            }
            let target = workspace.store("directory", "target")
            for command in [
                ["delete-incognito"] + here,
                ["import", Workspace.sample, "--incognito"] + here,
                ["migrate", "--include-incognito", "--from", store, "--to", target],
            ] {
                try Tool.run(command + ["--dry-run"]).expectRefusal("shows no incognito tabs")
                expect(try looks.picture(workspace.path) == before, "\(command)")
            }
        }
    }

    @Test(
        "A plan that was made beside the owner is what the owner applies",
        arguments: Workspace.backends)
    func plan(backend: String) async throws {
        let store = try await looks.store(backend, .healthy, workspace)
        let file = workspace.file("plan")
        try await workspace.withStore(store) { owner in
            _ = try await owner.save(looks.tabs(0..<7))
            let before = try looks.picture(workspace.file("profile"))
            let restore = ["restore", "--at", "latest", "--replace", "--storage", store]
            let refusal = try Tool.run(restore)
            expect(refusal.status == 2 && refusal.messages.contains("in use"))
            expect(!refusal.messages.contains("as of"))
            let outcome = try Tool.run(restore + ["--plan-to", file])
            expect(outcome.status == 0 && outcome.messages.contains("as of 20"))
            expect(try looks.picture(workspace.file("profile")) == before)
            let plan = try RestorePlan(encoded: FileSystem.read(file))
            let result = try await owner.apply(plan)
            expect(result.done.tabs.removed == 2 && result.skipped.isEmpty)
            expect(try await owner.restore(LookTests.window)?.tabs.count == 5)
        }
    }

    @Test("A backup has the digest of the store in use", arguments: Workspace.backends)
    func backup(backend: String) async throws {
        let store = try await looks.store(backend, .healthy, workspace)
        let path = workspace.file("backup")
        let digest = try await workspace.withStore(store) { owner in
            _ = try await owner.save(looks.tabs(0..<7))
            let before = try looks.picture(workspace.file("profile"))
            let answer = try Tool.run(["backup", path, "--storage", store, "--format", "json"])
                .json()
            expect(answer["isCompared"], is: .bool(true))
            expect(answer["path"].text == path && answer["backend"].text == backend)
            let digest = try Tool.run(["digest", "--storage", store]).output
            expect(answer["sha256"].text.map { $0 + "\n" }, is: digest)
            expect(try looks.picture(workspace.file("profile")) == before)
            let text = try Tool.run(["backup", path, "--storage", store])
            expect(text.status == 0 && text.output.contains("the same as the store's"))
            let inside = workspace.file("profile/backup")
            try Tool.run(["backup", inside, "--storage", store]).expectRefusal(
                "the store itself or inside it")
            return digest
        }
        // It is a store, and a look at it says nothing of an owner.
        let look = try Tool.run(["digest", "--storage", "\(backend)://\(path)"])
        expect(look.output == digest && look.messages == "")
    }
}
