import ArgumentParser
import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import sessionctl

/// Every command that changes says with `--dry-run` what it would do, and changes not a byte.
struct DryRunTests {
    private let looks = LookTests()

    /// What is tried of each command that changes, with what it says.
    static func commands(_ workspace: Workspace, _ store: String) -> [([String], says: String)] {
        let target = workspace.store("directory", "target")
        let here = ["--storage", store]
        return [
            (["init"] + here, "store at"), (["init", "--storage", target], "would be made"),
            (["import", Workspace.sample] + here, "would be saved"),
            (["import", Workspace.sample, "--storage", target], "would be saved"),
            (["import", Workspace.sample, "--replace"] + here, "would be saved"),
            (["migrate", "--partial", "--from", store, "--to", target], "would be copied"),
            (["repair"] + here, "would be"), (["repair", "--purge-quarantine"] + here, "would be"),
            (["delete-incognito"] + here, "would be deleted"),
            (["erase-removed"] + here, "would be kept"),
            (["forget", "example.org"] + here, "would be forgotten"),
            (["rm", "\(LookTests.window)"] + here, "would be removed"),
            (["remove"] + here, "would be removed"),
            (["remove", "--yes"] + here, "would be removed"),
            (["quarantine", "purge"] + here, "would be removed"),
            (["restore", "--at", "latest", "--replace"] + here, "would be"),
        ]
    }

    @Test(arguments: Workspace.backends, LookTests.State.allCases)
    func nothingIsChanged(backend: String, state: LookTests.State) async throws {
        let workspace = Workspace()
        let store = try await looks.store(backend, state, workspace)
        let commands = Self.commands(workspace, store)
        for (name, type) in LookTests.commands() where type is any ChangingCommand.Type {
            expect(commands.contains { $0.0.starts(with: name) }, "\(name) is not tried here")
        }
        let before = try looks.picture(workspace.path)
        for (command, words) in commands {
            let outcome = try Tool.run(command + ["--dry-run"])
            let mayFail = state == .damaged && !["repair", "rm"].contains(command[0])
            expect(outcome.status == 0 || mayFail, "\(command): \(outcome.messages)")
            let isNothing = outcome.output == "nothing to bring back\n"
            let says = outcome.output.contains(words) || isNothing || outcome.status != 0
            expect(says, "\(command): \(outcome.output)")
            expect(try looks.picture(workspace.path) == before, "\(command)")
        }
    }
}
