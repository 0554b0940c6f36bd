import BrowserModel
import BrowserSessions
import Expectations

/// Each test has what the later branches would choose in the list too, so that the order counts.
struct NextActiveTests {
    /// The layout after tabs were closed.
    private func after(closing titles: String..., in list: TabList) -> String {
        list.close(at: titles.map { list.at($0) })
        return list.layout
    }

    private func open(_ title: String, from opener: String, in list: TabList) throws {
        try list.setOpener(TabOpener(tab: list[opener].id), at: list.at(title))
    }

    @Test func noneIsActiveIfNoneWas() throws {
        expect(after(closing: "a", in: try .of("a b")), is: "b")
    }

    @Test func noneIsActiveIfNoneIsLeft() throws {
        let list = try TabList.of("a *b")
        list.closeAll(reason: .user)
        expect(list.activeTab == nil)
        expect(list.activeIndex == nil)
    }

    @Test func activeTabThatSurvivesStays() throws {
        let list = try TabList.of("a *b c")
        try open("c", from: "a", in: list)
        let recorder = ListRecorder(list)
        expect(after(closing: "a", in: list), is: "*b c")
        expect(!recorder.log.contains { $0.hasPrefix("active") })
    }

    @Test func nextChildComesFirst() throws {
        let list = try TabList.of("a *b c d e")
        try open("b", from: "a", in: list)
        try open("c", from: "a", in: list)
        try open("d", from: "b", in: list)
        try open("e", from: "b", in: list)
        expect(after(closing: "b", in: list), is: "a c *d e")
    }

    @Test func childBeforeTheTabIsFoundFromTheBeginning() throws {
        let list = try TabList.of("a b *c d")
        try open("a", from: "c", in: list)
        try open("b", from: "c", in: list)
        expect(after(closing: "c", in: list), is: "*a b d")
    }

    @Test func childThatIsRemovedTooDoesNotCount() throws {
        let list = try TabList.of("a *b c d e")
        try open("c", from: "b", in: list)
        try open("e", from: "b", in: list)
        expect(after(closing: "b", "c", in: list), is: "a d *e")
    }

    @Test func nextSiblingComesSecond() throws {
        let list = try TabList.of("o s *b c d")
        for title in ["s", "b", "d"] { try open(title, from: "o", in: list) }
        expect(after(closing: "b", in: list), is: "o s c *d")
        let wrapped = try TabList.of("o s *b c")
        for title in ["s", "b"] { try open(title, from: "o", in: wrapped) }
        expect(after(closing: "b", in: wrapped), is: "o *s c")
    }

    @Test func openerComesThird() throws {
        let list = try TabList.of("o a *b c")
        try open("b", from: "o", in: list)
        expect(after(closing: "b", in: list), is: "*o a c")
    }

    @Test func nearestOfTheGroupComesFourth() throws {
        expect(after(closing: "c", in: try .of("a {b *c} d")), is: "a {*b} d")
        expect(after(closing: "b", "c", in: try .of("{a b *c d} e")), is: "{a *d} e")
    }

    @Test func groupDoesNotCountIfTabsOutsideOfItGoToo() throws {
        expect(after(closing: "c", "a", in: try .of("a {b *c} d")), is: "{b} *d")
    }

    @Test func nearestOfTheSectionInNoCollapsedGroupComesFifth() throws {
        let list = try TabList.of("^p a *b {c d} e")
        try list.update(StructureNode.group(id: TabList.group(1), isCollapsed: true))
        expect(after(closing: "b", in: list), is: "^p a {c d} *e")
        expect(after(closing: "e", in: list), is: "^p *a {c d}")
    }

    @Test func nearestOfTheSectionComesSixth() throws {
        let list = try TabList.of("^p {a c} *b")
        try list.update(StructureNode.group(id: TabList.group(1), isCollapsed: true))
        expect(after(closing: "b", in: list), is: "^p {a *c}")
    }

    @Test func nearestOfAllComesLast() throws {
        expect(after(closing: "a", in: try .of("^p ^q *a")), is: "^p ^*q")
        expect(after(closing: "p", in: try .of("^*p a b")), is: "*a b")
    }

    @Test func pinnedTabIsFollowedByAPinnedOne() throws {
        expect(after(closing: "q", in: try .of("^p ^*q a")), is: "^*p a")
    }

    @Test func answerIsAnIndexBeforeTheRemoval() throws {
        let list = try TabList.of("a b *c d")
        expect(list.nextActive(afterRemoving: [0, 1, 2]), is: 3)
        expect(list.nextActive(afterRemoving: [0]), is: 2)
        expect(list.nextActive(afterRemoving: [0, 1, 2, 3]) == nil)
    }

    @Test func nextTabIsActiveBeforeTheOldOneLeaves() throws {
        let list = try TabList.of("a *b c")
        let recorder = ListRecorder(list)
        list.close(at: 1)
        expect(recorder.log, is: ["active c, was b", "removed b from 1"])
    }
}
