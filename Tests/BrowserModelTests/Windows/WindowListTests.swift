import BrowserModel
import BrowserSessions
import Expectations

/// Records the changes of a list of windows, and the events of its windows.
private final class WindowRecorder: WindowListObserver, WindowObserver {
    var log: [String] = []
    var onChange: (WindowList, WindowListChange) -> Void = { _, _ in }

    func windowList(_ list: WindowList, did change: WindowListChange) {
        switch change {
        case .opened(let window):
            log.append("opened, \(list.windows.count) open")
            window.addObserver(self)
        case .willClose(let window):
            log.append("will close with \(window.tabs.count) tabs, \(list.windows.count) open")
        case .closed(let window):
            log.append("closed with \(window.tabs.count) tabs, \(list.windows.count) open")
        }
        onChange(list, change)
    }

    func window(_ window: Window, did event: WindowEvent) { log.append("\(event)") }
}

struct WindowListTests {
    private let windows = WindowList(now: { Timestamp(microseconds: 5) })
    private let recorder = WindowRecorder()

    init() { windows.addObserver(recorder) }

    @Test func windowsAreKeptInTheOrderOfOpening() throws {
        let first = try windows.open()
        let second = try windows.open()
        expect(windows.windows.map(\.id), is: [first.id, second.id])
        expect(windows.window(second.id) === second)
        expect(windows.window(.random()) == nil)
        expect(first.attributes.createdAt, is: Timestamp(microseconds: 5))
        expect(recorder.log, is: ["opened, 1 open", "opened, 2 open"])
    }

    @Test func windowHasOnePlaceOfEachKind() throws {
        let id = WindowID.random()
        for kind in [SessionKind.regular, .incognito, .inactive] {
            let list = windows.list(of: kind)
            let window = try list.open(id, kind: kind)
            expect(window.sessionID, is: SessionID(window: id, kind: kind))
            expect(list.window(id, kind: kind) === window)
            expect(list.windows(of: kind).map(\.kind), is: [kind])
            expect(window.isIncognito, is: (kind == .incognito))
            expect(window.tabs.isIncognito, is: (kind == .incognito))
            expect(window.tabs.realizesActiveTab, is: (kind != .inactive))
        }
    }

    @Test func windowThatIsOpenIsNotOpenedTwice() throws {
        let window = try windows.open()
        expect(throws: WindowListError.self) { try windows.open(window.id) }
        let incognito = try windows.incognito.open(window.id)
        expect(throws: WindowListError.alreadyOpen(incognito.sessionID)) {
            try windows.incognito.open(window.id)
        }
        expect(windows.windows.count, is: 2)
        expect(recorder.log.count, is: 1)
    }

    @Test func whatIsOpenedIncognitoIsIncognito() throws {
        let profiles = ProfileManager(root: "/profiles")
        let profile = try profiles.create(named: "default")
        let hidden = try profile.createIncognito().windows
        let window = try hidden.open()
        expect(window.isIncognito && window.tabs.isIncognito)
        expect(window.sessionID.partition, is: .incognito)
        expect(profile.windows.isEmpty && hidden.count == 1)
        expect(throws: WindowListError.otherPartition(.incognito)) {
            try profile.windows.open(kind: .incognito)
        }
        expect(throws: WindowListError.otherPartition(.regular)) { try hidden.open(kind: .regular) }
        expect(throws: WindowListError.otherPartition(.regular)) {
            try hidden.open(profile.windows.ids.reserveNew())
        }
        let regular = try profile.windows.open()
        expect(profile.windows.map(\.id), is: [regular.id])
        try profile.windows.close(window)
        expect(hidden.isEmpty)
        expect(profiles["default"] === profile)
    }

    @Test(arguments: [SessionKind.regular, .incognito])
    func sentinelsAreNeverOpened(kind: SessionKind) {
        let sentinel = WindowID(high: 0, low: 9)
        let windows = WindowList(ids: WindowManager(sentinels: [sentinel]))
        expect(throws: WindowListError.identifier(.sentinel(sentinel))) {
            try windows.list(of: kind).open(sentinel)
        }
        expect(windows.windows.isEmpty)
    }

    @Test func tabsAreThereWhenAWindowIsAboutToCloseAndStillWhenItHasClosed() throws {
        let window = try windows.open()
        let tab = try window.tabs.insert("a", as: .active)
        window.enterForeground(at: Timestamp(microseconds: 5))
        recorder.log = []
        try windows.close(window)
        expect(
            recorder.log,
            is: [
                "enteredBackground", "will close with 1 tabs, 1 open",
                "closed with 1 tabs, 0 open",
            ])
        expect(window.isClosed)
        expect(tab.isClosed)
        expect(window.tabs.isEmpty)
        expect(window.tabs.activeTab == nil)
    }

    @Test func tabsOfAClosedWindowAreGoneWithoutTheListTellingSo() throws {
        let window = try windows.open()
        try window.tabs.insert("a")
        let listener = ListRecorder(window.tabs)
        try windows.close(window)
        expect(listener.log.isEmpty)
    }

    @Test func windowCanBeOpenedAgainWithItsTabs() throws {
        let window = try windows.open()
        let tab = try window.tabs.insert("a")
        try windows.close(window)
        let again = try windows.open(window.id)
        expect(again !== window)
        try again.tabs.insert(Tab(id: tab.id))
    }

    @Test func windowThatIsNotOpenIsNotClosed() throws {
        let window = try windows.open()
        try windows.close(window)
        expect(throws: WindowListError.notOpen(window.sessionID)) { try windows.close(window) }
        let other = try WindowList().open()
        expect(throws: WindowListError.notOpen(other.sessionID)) { try windows.close(other) }
    }

    @Test func observerMayCloseAnotherWindowWhileOneCloses() throws {
        let all = try (0..<3).map { _ in try windows.open() }
        recorder.onChange = { list, change in
            if case .willClose(let window) = change, window === all[1] {
                try? list.close(all[0])
                try? list.close(all[1])
            }
        }
        try windows.close(all[1])
        expect(windows.windows.map(\.id), is: [all[2].id])
        expect(all.map(\.isClosed), is: [true, true, false])
    }

    @Test("a window that is closed takes no tab, not even from an observer that is notified of it")
    func closedWindowTakesNoTab() throws {
        let (window, other) = (try windows.open(), try windows.open())
        let tab = Tab(title: "a")
        try other.tabs.insert(tab)
        var errors: [TabListError] = []
        recorder.onChange = { _, change in
            guard case .closed(let window) = change else { return }
            do throws(TabListError) { try other.tabs.transfer([tab], to: window.tabs) } catch {
                errors.append(error)
            }
            do throws(TabListError) { try window.tabs.insert(Tab(title: "b")) } catch {
                errors.append(error)
            }
        }
        try windows.close(window)
        expect(errors, is: [.windowClosed, .windowClosed])
        expect(other.tabs.map(\.title) == ["a"] && !tab.isClosed)
    }

    @Test func identifiersOfTabsAreUniqueInAllWindowsOfASide() throws {
        let (first, second) = (try windows.open(), try windows.open())
        let incognito = try windows.incognito.open()
        let tab = try first.tabs.insert("a")
        expect(throws: TabListError.duplicateIdentifier(tab.id)) {
            try second.tabs.insert(Tab(id: tab.id))
        }
        try incognito.tabs.insert(Tab(id: tab.id))
        expect(windows.registry[.incognito].tab(tab.id) != nil)
    }

    @Test func delegateAndMonitorAreGivenToWindowsOpenedAfterwards() throws {
        let before = try windows.open()
        let delegate = DelegateRecorder()
        windows.tabListDelegate = delegate
        windows.realizationMonitor = RealizationMonitor { _ in }
        let after = try windows.open()
        expect(before.tabs.delegate == nil)
        expect(after.tabs.delegate === delegate)
        expect(after.tabs.realizationMonitor === windows.realizationMonitor)
    }
}
