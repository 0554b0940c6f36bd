import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// What a change of structure saves, and what comes back of it.
@MainActor
struct StructureSavingTests {
    /// A host with 300 tabs and a folder of 300 more; the first one has 50 below it.
    private func host() async throws -> (host: Host, window: Window, folder: NodeID) {
        let host = Host()
        host.windows.structureRules = .everything
        try await host.restorer.restore()
        let window = try host.windows.open()
        for number in 0..<600 { try window.tabs.insert(Tab(title: "\(number)")) }
        let folder = StructureNode.folder(name: "Folder")
        try window.tabs.create(folder, of: Array(window.tabs[0..<300]))
        try window.tabs.move(Array(window.tabs[1...50]), to: .below(window.tabs[0].nodeID))
        try await host.restorer.save()
        host.storage.forgetCalls()
        return (host, window, folder.id)
    }

    /// How many records the changes save.
    private func records(
        _ host: Host, of change: () throws -> Void
    ) async throws -> Int {
        host.storage.forgetCalls()
        try change()
        try await host.restorer.save()
        let changes = host.storage.savedSets.flatMap(\.changes)
        if changes.count != 1 { recordIssue("\(changes.prefix(3))") }
        return changes.count
    }

    @Test func whatMovesTogetherIsOneRecord() async throws {
        let (host, window, folder) = try await host()
        let list = window.tabs
        expect(try await records(host) { try list.move(folder, to: .top()) } == 1)
        expect(try await records(host) { try list.move(folder, to: .top(.pinned)) } == 1)
        expect(try await records(host) { try list.move(list[0], to: .top()) } == 1)
        expect(list.count - list.pinnedCount, is: 351)
        var node = try require(list.node(folder))
        node.isCollapsed = true
        expect(try await records(host) { try list.update(node) } == 1)
        expect(try await records(host) { try list.move(list[1], to: 100) } == 1)
        let next = try await host.relaunched()
        let restored = try require(next.windows.first)
        expect(restored.tabs.forest, is: list.forest)
    }

    @Test func closedParentSavesItsBranchesInTheSameSet() async throws {
        let (host, window, _) = try await host()
        let list = window.tabs
        try await host.restorer.save()
        host.storage.forgetCalls()
        try list.close(list[0], reason: .cleanup)
        try await host.restorer.save()
        expect(host.storage.savedSets.count, is: 1)
        expect(host.storage.savedSets.first?.changes.count, is: 51)
        let next = try await host.relaunched()
        expect(next.windows.first?.tabs.forest, is: list.forest)
    }

    @Test func branchOfAnotherTabIsSavedAlthoughItWasTakenOutBefore() async throws {
        let (host, window, _) = try await host()
        let branch = try window.tabs.detach(window.tabs[1])
        try window.tabs.close(window.tabs[0])
        try await host.restorer.save()
        expect(host.restorer.isSaved)
        let next = try await host.relaunched()
        expect(next.windows.first?.tabs.tab(branch.id) != nil)
    }

    @Test func dissolvedFolderIsGoneAlthoughSomethingInItChanges() async throws {
        let (host, window, folder) = try await host()
        let list = window.tabs
        try list.create(StructureNode.group(name: "Inner"), of: [list[100], list[101]])
        try await host.restorer.save()
        try list.dissolve(folder)
        list[100].setTitle("changed")
        try await host.restorer.save()
        let next = try await host.relaunched()
        expect(next.windows.first?.tabs.nodes.map(\.name), is: ["Inner"])
    }

    @Test func hostOfFlatGroupsKeepsWhatItDoesNotShow() async throws {
        let (host, window, folder) = try await host()
        let next = Host(storage: FaultyStorage(host.storage.base))
        try await host.restorer.close()
        try await next.restorer.restore()
        let list = try require(next.windows.first).tabs
        expect(list.forest, is: window.tabs.forest)
        expect(list.groups.map(\.id), is: [folder])
        expect(list[1].group, is: folder)
        try list.close(list[599])
        list[10].setTitle("changed")
        try await next.restorer.save()
        let again = try await next.relaunched()
        expect(again.windows.first?.tabs.forest, is: list.forest)
        expect(again.windows.first?.tabs.forest.rows.map(\.depth).max(), is: 2)
    }
}
