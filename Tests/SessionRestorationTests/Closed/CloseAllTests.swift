import BrowserModel
import BrowserSessions
import Expectations
import SessionRestoration
import SessionTesting

/// "Close all" that can be undone.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct CloseAllTests {
    /// What must be as before: everything but the time of use.
    private func shape(_ window: Window) -> [TabMetadata] {
        window.tabs.tabs.map { tab in
            var metadata = tab.metadata
            metadata.lastActiveAt = .unknown
            return metadata
        }
    }

    /// A window with pins, a group and openers; the tab "b" is active.
    private func fullWindow(_ host: Host) async throws -> Window {
        let window = try await host.window("p", "a", "b", "c", "d")
        try window.tabs.pin(window.tabs[0])
        let group = StructureNode.group(id: .random(), name: "G", color: .green)
        try window.tabs.create(group, of: [window.tabs[2], window.tabs[3]])
        try window.tabs.setOpener(
            TabOpener(tab: window.tabs[0].id, navigationIndex: 4), of: window.tabs[1])
        try window.tabs.setOpener(TabOpener(tab: window.tabs[1].id), of: window.tabs[4])
        try window.tabs.setOpener(TabOpener(tab: window.tabs[4].id), of: window.tabs[0])
        try window.tabs.activate(window.tabs[2])
        try await host.restorer.save()
        host.storage.forgetCalls()
        return window
    }

    private func backup(_ window: Window) -> SessionID {
        SessionID(window: window.id, kind: .backup)
    }

    @Test(arguments: [false, true], [false, true])
    func undoBringsEverythingBackAsItWas(keepingPinned: Bool, isKilled: Bool) async throws {
        let first = try await Host.launched()
        let old = try await fullWindow(first)
        let (before, groups) = (shape(old), old.tabs.groups)
        let count = try first.restorer.closeAll(in: old, keepingPinned: keepingPinned)
        expect(count, is: (keepingPinned ? 4 : 5))
        expect(old.titles, is: (keepingPinned ? ["p"] : []))
        var host = first
        if isKilled {
            try await first.restorer.save()
            host = try await first.relaunched()
            expect(host.restorer.report?.backups, is: [old.id])
            let hidden = try require(host.windows.window(old.id, kind: .backup))
            expect(hidden.tabs.tabs.allSatisfy { !$0.isRealized })
        }
        let window = try require(host.windows.window(old.id))
        try host.restorer.closeAll.undo(in: window.id)
        expect(shape(window), is: before)
        expect(window.tabs.groups, is: groups)
        expect(window.tabs.activeTab?.title, is: "b")
        if isKilled { expect(try !window.tab("d").isRealized) }
        expect(host.windows.window(window.id, kind: .backup) == nil)
        try await host.restorer.save()
        expect(try await host.storedTitles(window) == ["p", "a", "b", "c", "d"])
        expect(try await host.stored(backup(window)) == nil)
    }

    @Test func oneSaveMovesEverythingAndNoState() async throws {
        let host = try await Host.launched()
        let window = try await fullWindow(host)
        try host.restorer.closeAll(in: window)
        await host.waitForDelayedSave()
        expect(host.storage.savedSets.count, is: 1)
        let changes = try require(host.storage.savedSets.first).changes
        let puts = changes.filter {
            if case .put(.tab(_, in: backup(window))) = $0 { true } else { false }
        }
        expect(puts.count, is: 5)
        expect(!changes.contains { if case .putState = $0 { true } else { false } })
    }

    @Test func noTabIsRealizedAndRealizedOnesStayAlive() async throws {
        let first = try await Host.launched()
        _ = try await fullWindow(first)
        let host = try await first.relaunched()
        let window = try require(host.windows.windows.first)
        let content = try require(window.tab("b").page)
        host.storage.forgetCalls()
        try host.restorer.closeAll(in: window)
        let hidden = try require(host.windows.window(window.id, kind: .backup))
        expect(hidden.tabs.tabs.map(\.isRealized), is: [false, false, true, false, false])
        expect(try hidden.tab("b").page === content)
        try hidden.tab("b").visit("later")
        try await host.restorer.save()
        try host.restorer.closeAll.undo(in: window.id)
        expect(window.tabs.tabs.map(\.isRealized), is: [false, false, true, false, false])
        expect(window.titles, is: ["p", "a", "later", "c", "d"])
        expect(host.storage.statesRead, is: 0)
    }

    @Test func tabsOpenedMeanwhileStayBehindTheOnesThatComeBack() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try host.restorer.closeAll(in: window)
        try window.tabs.insert(Tab(url: "https://new.example/", title: "new"), as: .active)
        try host.restorer.closeAll.undo(in: window.id)
        expect(window.titles, is: ["a", "b", "new"])
        expect(window.tabs.activeTab?.title, is: "b")
        try await host.restorer.save()
        expect(try await host.storedTitles(window) == ["a", "b", "new"])
    }

    @Test(arguments: [false, true])
    func confirmedTabsAreOneClosingThatCanBeReopened(keepingPinned: Bool) async throws {
        let host = try await Host.launched()
        let window = try await fullWindow(host)
        let before = shape(window).map(\.title)
        try host.restorer.closeAll(in: window, keepingPinned: keepingPinned)
        try host.restorer.closeAll.confirm(in: window.id)
        try await host.restorer.save()
        expect(try await host.stored(backup(window)) == nil)
        let next = try await host.relaunched()
        let again = try require(next.windows.window(window.id))
        expect(Set(next.restorer.closed.tabs.map(\.closing)).count, is: 1)
        try next.restorer.closed.reopenLast()
        expect(again.titles, is: before)
        expect(again.tabs[1].metadata.opener?.tab, is: again.tabs[0].id)
        expect(again.tabs.groups.map(\.name), is: ["G"])
        expect(again.tabs.pinnedCount, is: 1)
        expect(again.tabs.activeTab?.title, is: "b")
    }

    @Test func closingAllOnceMoreConfirmsTheFirstTime() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try host.restorer.closeAll(in: window)
        expect(try host.restorer.closeAll(in: window) == 0)
        expect(host.restorer.closed.tabs.isEmpty)
        try window.tabs.insert(Tab(url: "https://c.example/", title: "c"))
        try host.restorer.closeAll(in: window)
        expect(host.restorer.closed.tabs.map(\.title), is: ["a", "b"])
        try host.restorer.closeAll.undo(in: window.id)
        expect(window.titles, is: ["c"])
    }

    @Test("an emptied backup does not prevent the next closing, nor a merge of windows")
    func emptiedBackup() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try host.restorer.closeAll(in: window)
        let backup = try require(host.windows.window(window.id, kind: .backup))
        backup.tabs.closeAll(reason: .user)
        try window.tabs.insert(Tab(url: "https://c.example/", title: "c"))
        expect(try host.restorer.closeAll(in: window) == 1)
        try host.restorer.closeAll.undo(in: window.id)
        expect(window.titles, is: ["c"])
        try host.restorer.closeAll(in: window)
        try require(host.windows.window(window.id, kind: .backup)).tabs.closeAll(reason: .user)
        let target = try await host.window("d")
        try host.restorer.savedWindows.mergeAll(into: target)
        expect(host.windows.map(\.id), is: [target.id])
    }

    @Test func tabsThatWereNeverSavedSurviveFailedSavesAndUndo() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a")
        try window.addUnsaved("b", then: "c")
        host.storage.fail(.save, with: StorageError(.outOfSpace, "full"))
        try host.restorer.closeAll(in: window)
        try? await host.restorer.save()
        try host.restorer.closeAll.undo(in: window.id)
        try await host.restorer.save()
        let next = try await host.relaunched()
        let again = try require(next.windows.window(window.id))
        expect(again.titles, is: ["a", "c"])
        expect(try await again.tabs[1].visited() == ["b", "c"])
    }

    @Test func aStoreThatRefusesTheWholeLosesNoTabOnItsWay() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try host.restorer.closeAll(in: window)
        try await host.restorer.save()
        host.storage.fail(.save, with: StorageError(.tooLarge, "too large"))
        try host.restorer.closeAll.undo(in: window.id)
        try await host.restorer.save()
        expect(try await host.storedTitles(window) == ["a", "b"])
        let key = TabStateKey(tab: window.tabs[0].id, name: .navigation, partition: .regular)
        expect(try await host.storage.base.state(of: key) != nil)
    }

    @Test func aClosedWindowKeepsItsUndo() async throws {
        let host = try await Host.launched()
        let window = try await host.window("a", "b")
        try host.restorer.closeAll(in: window)
        try host.windows.close(window)
        #expect { try host.restorer.closeAll.undo(in: window.id) } throws: {
            if case SessionRestorationError.noBackup = $0 { true } else { false }
        }
        let again = try await host.restorer.savedWindows.open(window.id)
        try host.restorer.closeAll.undo(in: window.id)
        expect(again.titles, is: ["a", "b"])
    }

    @Test func onlyRegularOpenWindowsAreClosedLikeThis() async throws {
        let host = try await Host.launched()
        let hidden = try await host.window("x", kind: .incognito)
        #expect { try host.restorer.closeAll(in: hidden) } throws: {
            if case SessionRestorationError.notRegular = $0 { true } else { false }
        }
        let window = try await host.window("a")
        #expect { try host.restorer.closeAll.confirm(in: window.id) } throws: {
            if case SessionRestorationError.noBackup = $0 { true } else { false }
        }
        try host.windows.close(window)
        #expect { try host.restorer.closeAll(in: window) } throws: {
            if case SessionRestorationError.window(.notOpen) = $0 { true } else { false }
        }
    }
}
