import BrowserModel
import BrowserSessions
import Expectations
import RestorePlans
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// A blank window overwrites everything while the browser runs.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct BlankWindowTests {
    private let folder = TemporaryFolder()

    private func launched(_ backend: StorageBackend) async throws -> Host {
        let store = try await backend.open(StorageConfiguration(location: folder.file("store")))
        return try await Host.structured(FaultyStorage(store))
    }

    /// Half a megabyte of spaces, with folders, in which tabs have histories.
    private func fill(_ library: TabList, of host: Host) throws {
        let text = String(repeating: "words of a page ", count: 60)
        for space in 0..<4 {
            let node = StructureNode.space(name: "Space \(space)")
            try library.create(node, at: .top())
            let folder = StructureNode.folder(name: "Folder \(space)")
            try library.create(folder, at: .inside(node.id))
            for number in 0..<125 {
                let title = "\(space)-\(number)"
                let record = TabMetadata(
                    id: .random(), place: .between(nil, and: nil),
                    url: "https://\(title).example/", title: title + " " + text)
                let state = TabState(
                    history: NavigationHistory(url: record.url, title: title, time: .now()))
                try library.insert(
                    host.restorer.states.createUnrealizedTab(record, state: state),
                    as: TabInsertion(.inside(number.isMultiple(of: 5) ? folder.id : node.id)))
            }
        }
    }

    /// What the user had, and what the store kept of it.
    private struct Loss {
        var outline: [String]
        var ids: [TabID]
        var blank: WindowID
        var point: RestorePoint
    }

    /// A blank window opens, and with it a program that takes it for all there is.
    private func overwrite(_ backend: StorageBackend) async throws -> Loss {
        let host = try await launched(backend)
        let library = host.windows.library
        let (outline, ids) = (library.outline, library.map(\.id))
        expect(library.count, is: 500)
        let blank = try host.windows.open()
        try blank.tabs.insert(Tab(url: "about:blank"), as: .active)
        for space in library.children(of: nil) {
            try library.closeAll(in: space, reason: .program)
        }
        try await host.restorer.save()
        expect(library.isEmpty && library.nodes.isEmpty)
        let reported = host.seen.restorations.compactMap { event in
            if case .tookPointBeforeLoss(let point) = event { point } else { nil }
        }
        let point = try require(reported.first)
        expect(reported.count == 1 && point.lostTabCount == 500)
        let points = try await host.restorer.history.restorePoints()
        expect(points.first { $0.reason == .beforeLoss }, is: point)
        try await host.end()
        return Loss(outline: outline, ids: ids, blank: blank.id, point: point)
    }

    @Test(
        "The spaces are at a restore point, one call brings them back, one undoes it",
        .bug("https://github.com/zen-browser/desktop/issues/12422"),
        arguments: RealStoreTests.backends)
    func spacesAreOverwritten(backend: StorageBackend) async throws {
        let first = try await launched(backend)
        _ = try await first.window("home")
        try fill(first.windows.library, of: first)
        try await first.end()
        let loss = try await overwrite(backend)

        // The user sees it at the next launch.
        let host = try await launched(backend)
        expect(host.restorer.report?.pointsBeforeLoss, is: [loss.point])
        let list = host.windows.library
        expect(list.isEmpty)
        let result = try await host.restorer.history.goBack(to: loss.point.id)
        expect(list.outline == loss.outline && list.map(\.id) == loss.ids)
        expect(list.allSatisfy { !$0.isRealized } && host.restorer.closed.tabs.isEmpty)
        expect(host.windows.contains { $0.id == loss.blank })
        // Of the closed tabs, only so many had stayed.
        let (added, movedBack) = (result.done.tabs.added, result.done.tabs.movedBack)
        expect(added + movedBack == 500 && movedBack >= 125 && result.skipped.isEmpty)
        try await list[7].forceRealization()
        expect(list[7].pages?.history.entries.count, is: 1)
        let stored = try await host.stored(SessionID(window: .profileWide, kind: .library))
        expect(stored?.tabs.count, is: 500)

        let undo = try require(result.restorePoint)
        expect(undo.name, is: "before restoring")
        try await host.restorer.history.goBack(to: undo.id, mode: .replace)
        expect(list.isEmpty && list.nodes.isEmpty)
        // What was in no session any more is in none again.
        expect(Set(loss.ids).isSuperset(of: host.restorer.closed.tabs.map(\.id)))
        expect(host.restorer.closed.tabs.count { $0.isClosedByProgram }, is: movedBack)
        try await host.end()

        let last = try await launched(backend)
        expect(last.restorer.closed.tabs.count == movedBack && last.windows.library.isEmpty)
        try await last.end()
    }
}
