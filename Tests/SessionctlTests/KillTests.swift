import BrowserSessions
import Expectations
import TestSupport

@testable import sessionctl

/// A process that saves, until it is killed; nothing that it acknowledged is lost.
struct KillTests {
    private let workspace = Workspace()

    /// The check itself must find what is wrong.
    @Test func theCheckFindsContentThatIsNotThatOfTheSaves() async throws {
        let edits: [@Sendable (inout SessionChanges) -> Void] = [
            { changes in
                var tab = SaveLoop.tab(of: 2)
                tab.title = "other"
                changes.put(tab, in: SaveLoop.session)
            },
            { $0.remove(SaveLoop.tab(of: 3).id, from: SaveLoop.session) },
            {
                let key = TabStateKey(
                    tab: SaveLoop.tab(of: 4).id, name: .navigation, partition: .regular)
                $0.put([], for: key)
            },
        ]
        for (durability, edit) in zip(["memory", "processCrash", "powerLoss"], edits) {
            let store = workspace.store("sqlite", durability)
            let saves = try SavingProcess(store, durability: durability).kill(afterSaves: 5).count
            let verify = ["save-loop", "--storage", store, "--verify"]
            try Tool.run(verify + ["\(saves)"]).expectSuccess()
            try Tool.run(verify + ["1000000"]).expectRefusal(
                "1000000 saves were acknowledged, ", status: 1)
            try await workspace.withStore(store) { store in
                var changes = SessionChanges()
                edit(&changes)
                _ = try await store.save(changes)
                await #expect(throws: StorageError.self) {
                    try await SaveLoopCheck.verify(store, acknowledged: 1)
                }
            }
        }
    }

    @Test(arguments: Workspace.backends)
    func aStoreInUseIsLockedForChangesAndNamesTheHolder(backend: String) throws {
        let store = workspace.store(backend)
        let loop = try SavingProcess(store)
        try loop.wait(forSaves: 1)
        for command in [["repair"], ["erase-removed"], ["delete-incognito"], ["remove", "--yes"]] {
            try Tool.run(command + ["--storage", store]).expectRefusal(
                "in use by process \(loop.processIdentifier)", "(locked)")
        }
        expect(try !loop.kill(afterSaves: 2).isEmpty)
        try Tool.run(["list", "--storage", store]).expectSuccess()
    }
}
