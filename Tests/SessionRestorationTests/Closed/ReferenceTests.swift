import BrowserModel
import BrowserSessions
import Expectations
import Foundation
import SessionRestoration
import SessionTesting

/// A window or a tab is meant by itself or by its identifier, everywhere.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ReferenceTests {
    @Test func whatIsDoneWithAWindowCanBeUndoneByTheSame() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let (closeAll, saved) = (host.restorer.closeAll, host.restorer.savedWindows)
        let history = host.restorer.history
        expect(try closeAll(in: window.id) == 2)
        expect(try closeAll.undo(in: window).map(\.metadata.title) == ["a", "b"])
        expect(try closeAll(in: window) == 2)
        expect(try closeAll.undo(in: window.id).count == 2)
        expect(try closeAll(in: window) == 2)
        try closeAll.confirm(in: window)
        expect(try host.restorer.closed.reopenLast(in: window.id).count == 2)
        let other = try await host.window("c")
        expect(try saved.mergeAll(into: window.id) == 1)
        try await host.restorer.save()
        expect(try await saved.discard([other.id, window.id]).postponed == [window.id])
        expect(try await history.previousVersion(of: window) == nil)
        expect(try await history.restorePreviousVersion(of: window).isEmpty)
        let lone = try await host.window("d")
        try await saved.disconnect(lone.id)
        try lone.tabs.close(lone.tabs[0])
        try host.windows.close(lone.id)
        expect(host.windows.map(\.id), is: [window.id])
        try await host.restorer.save()
        expect(try await host.storedTitles(lone) == ["d"])
    }

    @Test func tabsAreMeantByTheirIdentifiersToo() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        let (first, states) = (window.tabs[0], host.restorer.states)
        try await host.restorer.realizedTabs.unload(first.id)
        expect(!first.isRealized)
        for isClosed in [false, true] {
            if isClosed { try window.tabs.close(first) }
            let state = try await states.state(of: first.id)
            expect(state.history.entries.map(\.url), is: ["https://a.example/"])
        }
    }

    @Test func whatIsNotThereIsSaidEitherWay() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        let secret = try await host.window("s", kind: .incognito)
        let closed = try await host.window("c")
        try host.windows.close(closed)
        let (closeAll, inactive) = (host.restorer.closeAll, host.restorer.inactive)
        for call in [
            { try closeAll(in: secret) }, { try closeAll(in: secret.id) },
            { try inactive.reactivateAll(in: secret.id) },
        ] as [() throws -> Int] {
            let error = expect(throws: SessionRestorationError.self) { try call() }
            guard case .notRegular(secret.sessionID) = error else {
                recordIssue("\(error as Any)")
                continue
            }
        }
        for call in [{ try closeAll(in: closed) }, { try closeAll(in: closed.id) }] {
            let error = expect(throws: SessionRestorationError.self) { try call() }
            guard case .window(.notOpen(closed.sessionID)) = error else {
                recordIssue("\(error as Any)")
                continue
            }
        }
        expect(throws: WindowListError.notOpen(closed.sessionID)) {
            try host.windows.close(closed.id)
        }
        await expect(throws: TabError.closed) {
            try await host.restorer.realizedTabs.unload(TabID.random())
        }
        expect(throws: SessionRestorationError.self) { try inactive.reactivate(window.tabs[0].id) }
    }

    /// What is closed or not open has an identifier alone.
    private static let byIdentifierAlone: Set<String> = [
        "reopen(_ id: TabID", "forget(_ id: TabID", "open(_ id: WindowID",
    ]

    @Test func noMethodOfARestorerTakesOnlyOneOfTheTwo() throws {
        let package = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let folder = URL(filePath: package).appending(path: "Sources/SessionRestoration")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let words = /public func (\w+\s*\([^)]*?: (Window|WindowID|Tab|TabID)\b)/
        var found: [String] = []
        for name in names where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            found += text.matches(of: words).map {
                $0.output.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    .replacing("( ", with: "(")
            }
        }
        expect(found.filter { !Self.byIdentifierAlone.contains($0) }, is: [])
        expect(Set(found).count >= 3, "the methods were not found")
    }
}
