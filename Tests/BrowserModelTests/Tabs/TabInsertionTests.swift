import BrowserModel
import BrowserSessions
import Testing

struct TabInsertionTests {
    @Test func tabsOpenedFromATabComeRightBehindItInTheOrderOfOpening() throws {
        let list = TabList()
        let opener = Tab(url: "https://a.example/")
        try list.insert(opener)
        try list.insert(Tab(url: "https://b.example/"))
        let first = Tab(url: "https://a1.example/")
        let second = Tab(url: "https://a2.example/")
        #expect(try list.insert(first, TabInsertion(opener: opener.id)) == 1)
        #expect(try list.insert(second, TabInsertion(opener: opener.id)) == 2)
        let places = list.tabs.map(\.metadata.place)
        #expect(places == places.sorted())
    }
}
