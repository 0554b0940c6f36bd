import BrowserModel
import BrowserSessions
import Expectations

/// Each case has what the later branches would choose in the list too, so that the order counts.
struct NextActiveTests {
    /// A list, which tab opened which ("ab": a opened b), the tabs that close, and the list after that.
    @Test(arguments: [
        // None is active if none was.
        ("a b", "", "a", "b"),
        // The next child comes first, from the beginning at last; one that is closed, too, does not count.
        ("a *b c d e", "ab ac bd be", "b", "a c *d e"), ("a b *c d", "ca cb", "c", "*a b d"),
        ("a *b c d e", "bc be", "bc", "a d *e"),
        // The next sibling comes second, and the opener third.
        ("o s *b c d", "os ob od", "b", "o s c *d"), ("o s *b c", "os ob", "b", "o *s c"),
        ("o a *b c", "ob", "b", "*o a c"),
        // The nearest of the group comes fourth, unless a tab outside of it is closed, too.
        ("a {b *c} d", "", "c", "a {*b} d"), ("{a b *c d} e", "", "bc", "{a *d} e"),
        ("a {b *c} d", "", "ca", "{b} *d"),
        // The nearest of the pinned or the other tabs comes before the nearest of all.
        ("^p ^*q a", "", "q", "^*p a"), ("^p ^q *a", "", "a", "^p ^*q"),
        ("^*p a b", "", "p", "*a b"),
    ])
    func anotherTabBecomesActive(
        before: String, openers: String, closed: String, after: String
    ) throws {
        let list = try TabList.of(before)
        for pair in openers.split(separator: " ") {
            let (opener, child) = (list[String(pair.prefix(1))], list[String(pair.suffix(1))])
            try list.setOpener(TabOpener(tab: opener.id), of: child)
        }
        try list.close(closed.map { list[String($0)] })
        expect(list.layout, is: after)
    }

    @Test func tabsOfACollapsedGroupComeSixth() throws {
        let list = try TabList.of("^p a *b {c d} e")
        try list.update(StructureNode.group(id: TabList.group(1), isCollapsed: true))
        try list.close(list["b"])
        expect(list.layout, is: "^p a {c d} *e")
        try list.close(list["e"])
        expect(list.layout, is: "^p *a {c d}")
        try list.close(list["a"])
        expect(list.layout, is: "^p {*c d}")
        list.closeAll(reason: .user)
        expect(list.activeTab == nil && list.activeIndex == nil)
    }

    @Test func activeTabThatSurvivesStaysAndTheNextOneIsActiveBeforeItLeaves() throws {
        let list = try TabList.of("a *b c")
        try list.setOpener(TabOpener(tab: list["a"].id), of: list["c"])
        let recorder = ListRecorder(list)
        try list.close(list["a"])
        expect(!recorder.take().contains { $0.hasPrefix("active") })
        try list.close(list["b"])
        expect(recorder.log, is: ["active c, was b", "removed b from 0"])
    }
}
