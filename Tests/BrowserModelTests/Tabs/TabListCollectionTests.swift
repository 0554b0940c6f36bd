import BrowserModel
import BrowserSessions
import Expectations

/// A list of tabs and one of windows are collections.
struct TabListCollectionTests {
    @Test func tabsAreThoseOfTheCollection() throws {
        let list = try TabList.of("a *b c")
        expect(list.map(\.title), is: ["a", "b", "c"])
        expect(list.first?.title, is: "a")
        expect(list.last?.title, is: "c")
        expect(list[1] === list.activeTab)
        expect(list.indices, is: 0..<3)
        expect(list.dropFirst().map(\.title), is: ["b", "c"])
        expect(TabList().isEmpty)
        expect(TabList().first == nil)
    }

    @Test func tabsMayBeClosedWhileTheyAreGoneThrough() throws {
        let list = try TabList.of("a *b c d")
        var seen: [String] = []
        for tab in list {
            seen.append(tab.title)
            try list.close(tab)
        }
        expect(seen, is: ["a", "b", "c", "d"])
        expect(list.isEmpty)
    }

    @Test func windowsAreThoseOfTheCollection() throws {
        let windows = WindowList()
        let (first, second) = (try windows.open(), try windows.open())
        expect(windows.map(\.id), is: [first.id, second.id])
        expect(windows.first === first)
        expect(windows[1] === second)
        var seen: [WindowID] = []
        for window in windows {
            seen.append(window.id)
            try windows.close(window)
        }
        expect(seen, is: [first.id, second.id])
        expect(windows.isEmpty)
    }
}
