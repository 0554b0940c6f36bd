import BackendSelection
import BrowserSessions
import Expectations
import TestSupport
import ToolSupport

@testable import sessionctl

/// A process that saves is killed again and again; nothing that it acknowledged is ever lost.
struct KillTests {
    private let workspace = Workspace()

    /// A push kills four times for each durability, the nightly run ten times.
    @Test(
        "Kills on one store",
        arguments: Workspace.backends, ["memory", "processCrash", "powerLoss"])
    func kills(backend: String, durability: String) throws {
        let store = workspace.store(backend)
        var last = 0
        let rounds = TestRun.isNightly ? [1, 3, 17, 60, 2] : [17, 2]
        for saves in rounds {
            // The second of two loops finds the store as the kill of the first left it.
            for _ in 1...2 {
                let loop = try SavingProcess(store, durability: durability)
                let acknowledged = try loop.kill(afterSaves: saves)
                let first = try require(acknowledged.first)
                expect(first > last)
                expect(acknowledged, is: Array(first..<first + acknowledged.count))
                last = first + acknowledged.count - 1
            }
            let outcome = try Tool.run(["save-loop", "--verify", "\(last)", "--storage", store])
                .expectSuccess()
            last = try require(Int(outcome.dropFirst("found ".count).dropLast()))
            try Tool.run(["check", "--storage", store]).expectSuccess()
        }
        expect(last >= 2 * rounds.reduce(0, +))
        try Tool.run(["save-loop", "--verify", "\(last + 1)", "--storage", store]).expectRefusal(
            "\(last + 1) saves were acknowledged, \(last) are there", status: 1)
    }

    /// The check itself must find what is wrong.
    @Test(arguments: Workspace.backends)
    func theCheckFindsContentThatIsNotThatOfTheSaves(backend: String) async throws {
        let store = workspace.store(backend)
        expect(try SavingProcess(store).kill(afterSaves: 5).count >= 5)
        let request = SelectionRequest(
            storage: store, environment: [:], workingDirectory: workspace.path)
        let selection = try request.resolve(registry: .tool())
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
        for edit in edits {
            try await withOpen(selection) { store in
                let saved = try await SaveLoopCheck.verify(store, acknowledged: 5)
                var changes = SessionChanges()
                edit(&changes)
                _ = try await store.save(changes)
                await expect(throws: StorageError.self) {
                    try await SaveLoopCheck.verify(store, acknowledged: 1)
                }
                var repaired = SessionChanges()
                for count in max(1, saved - SaveLoop.tabs + 1)...saved {
                    let tab = SaveLoop.tab(of: count)
                    repaired.put(tab, in: SaveLoop.session)
                    repaired.put(
                        NavigationHistory(url: tab.url, title: tab.title).encoded(),
                        for: TabStateKey(tab: tab.id, name: .navigation, partition: .regular))
                }
                _ = try await store.save(repaired)
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
