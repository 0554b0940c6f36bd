import BrowserModel
import BrowserSessions
import Expectations
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// The profile's library: a plan puts spaces into it, and takes them from it.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct PlanSpacesTests {
    private let folder = TemporaryFolder()
    private func launched(
        prepare: (any SessionStorage) async throws -> Void = { _ in }
    ) async throws -> Host { try await Host.ofPoints(in: folder, prepare: prepare) }

    private static let library = SessionID(window: .profileWide, kind: .library)

    private func space(_ name: String, _ titles: [String], in library: TabList) throws {
        let space = StructureNode(.space, place: .middle, name: name)
        try library.create(space, at: .top())
        for title in titles {
            try library.insert(
                Tab(url: "https://\(title).example/", title: title),
                as: TabInsertion(.inside(space.id)))
        }
    }

    /// Nobody asked for the library of this process before.
    @Test(arguments: [[], ["a", "b"]])
    func spacesComeBackToALibraryThatWasNotOpen(titles: [String]) async throws {
        let first = try await launched()
        _ = try await first.window("w")
        let library = first.windows.library
        try space("Home", titles, in: library)
        let (outline, then) = (library.outline, try await first.point())
        try await first.end()
        let host = try await launched { store in
            var changes = SessionChanges()
            changes.remove(Self.library)
            _ = try await store.save(changes)
        }
        try await host.goBack(to: then, .merge)
        expect(host.windows.library.outline, is: outline)
        expect(host.windows.library.activeTab == nil)
        try space("Work", ["c"], in: host.windows.library)
        try await host.restorer.save()
        try await host.expectSaved()
        expect(host.windows.library.outline, is: outline + ["Work", "  c"])
        try await host.end()
    }

    @Test func spacesThatCameSinceGo() async throws {
        let host = try await launched()
        let window = try await host.window("v", "w")
        let (own, then) = (try window.tab("v"), try await host.point())
        let library = host.windows.library
        try space("Home", ["a", "b"], in: library)
        try window.tabs.transfer([own], to: library)
        try space("Work", [], in: library)
        try window.show(library.nodes[0].id)
        let outline = library.outline
        try await host.restorer.save()
        let result = try await host.goBack(to: then, .replace)
        expect(library.isEmpty && library.nodes.isEmpty && window.space == nil)
        expect(window.titles == ["v", "w"] && window.tabs[0] === own && !own.isClosed)
        expect(host.restorer.closed.tabs.count, is: 2)
        expect(try await host.stored(Self.library)?.nodes ?? [] == [])

        let undo = try #require(result.restorePoint)
        try await host.goBack(to: undo.id, .replace)
        expect(library.outline == outline && outline.count == 5)
        expect(window.space?.name == "Home" && host.restorer.closed.items.isEmpty)
        try await host.end()
    }
}
