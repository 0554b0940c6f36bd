import BrowserModel
import BrowserSessions
import Testing

/// A list of tabs and one of windows are collections.
struct TabListCollectionTests {
    @Test func tabsAreThoseOfTheCollection() throws {
        let list = try TabList.of("a *b c")
        #expect(list.map(\.title) == ["a", "b", "c"])
        #expect(list.first?.title == "a")
        #expect(list.last?.title == "c")
        #expect(list[1] === list.activeTab)
        #expect(list.indices == 0..<3)
        #expect(list.dropFirst().map(\.title) == ["b", "c"])
        #expect(TabList().isEmpty)
        #expect(TabList().first == nil)
    }

    @Test func tabsMayBeClosedWhileTheyAreGoneThrough() throws {
        let list = try TabList.of("a *b c d")
        var seen: [String] = []
        for tab in list {
            seen.append(tab.title)
            try list.close(tab)
        }
        #expect(seen == ["a", "b", "c", "d"])
        #expect(list.isEmpty)
    }

    @Test func windowsAreThoseOfTheCollection() throws {
        let windows = WindowList()
        let (first, second) = (try windows.open(), try windows.open())
        #expect(windows.map(\.id) == [first.id, second.id])
        #expect(windows.first === first)
        #expect(windows[1] === second)
        var seen: [WindowID] = []
        for window in windows {
            seen.append(window.id)
            try windows.close(window)
        }
        #expect(seen == [first.id, second.id])
        #expect(windows.isEmpty)
    }
}
