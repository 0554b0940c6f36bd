import BrowserModel
import BrowserSessions
import Expectations

/// Each test has what the later branches would choose in the list too, so that the order counts.
struct NextActiveTests {
    /// The layout after tabs were closed.
    private func after(closing titles: String..., in list: TabList) throws -> String {
        try list.close(titles.map { list[$0] })
        return list.layout
    }

    private func open(_ title: String, from opener: String, in list: TabList) throws {
        try list.setOpener(TabOpener(tab: list[opener].id), of: list[list.at(title)])
    }

    @Test func noneIsActiveIfNoneWas() throws {
        expect(try after(closing: "a", in: .of("a b")) == "b")
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
        expect(try after(closing: "a", in: list) == "*b c")
        expect(!recorder.log.contains { $0.hasPrefix("active") })
    }

    @Test func nextChildComesFirst() throws {
        let list = try TabList.of("a *b c d e")
        try open("b", from: "a", in: list)
        try open("c", from: "a", in: list)
        try open("d", from: "b", in: list)
        try open("e", from: "b", in: list)
        expect(try after(closing: "b", in: list) == "a c *d e")
    }

    @Test func childBeforeTheTabIsFoundFromTheBeginning() throws {
        let list = try TabList.of("a b *c d")
        try open("a", from: "c", in: list)
        try open("b", from: "c", in: list)
        expect(try after(closing: "c", in: list) == "*a b d")
    }

    @Test func childThatIsRemovedTooDoesNotCount() throws {
        let list = try TabList.of("a *b c d e")
        try open("c", from: "b", in: list)
        try open("e", from: "b", in: list)
        expect(try after(closing: "b", "c", in: list) == "a d *e")
    }

    @Test func nextSiblingComesSecond() throws {
        let list = try TabList.of("o s *b c d")
        for title in ["s", "b", "d"] { try open(title, from: "o", in: list) }
        expect(try after(closing: "b", in: list) == "o s c *d")
        let wrapped = try TabList.of("o s *b c")
        for title in ["s", "b"] { try open(title, from: "o", in: wrapped) }
        expect(try after(closing: "b", in: wrapped) == "o *s c")
    }

    @Test func openerComesThird() throws {
        let list = try TabList.of("o a *b c")
        try open("b", from: "o", in: list)
        expect(try after(closing: "b", in: list) == "*o a c")
    }

    @Test func nearestOfTheGroupComesFourth() throws {
        expect(try after(closing: "c", in: .of("a {b *c} d")) == "a {*b} d")
        expect(try after(closing: "b", "c", in: .of("{a b *c d} e")) == "{a *d} e")
    }

    @Test func groupDoesNotCountIfTabsOutsideOfItGoToo() throws {
        expect(try after(closing: "c", "a", in: .of("a {b *c} d")) == "{b} *d")
    }

    @Test func nearestOfTheSectionInNoCollapsedGroupComesFifth() throws {
        let list = try TabList.of("^p a *b {c d} e")
        try list.update(StructureNode.group(id: TabList.group(1), isCollapsed: true))
        expect(try after(closing: "b", in: list) == "^p a {c d} *e")
        expect(try after(closing: "e", in: list) == "^p *a {c d}")
    }

    @Test func nearestOfTheSectionComesSixth() throws {
        let list = try TabList.of("^p {a c} *b")
        try list.update(StructureNode.group(id: TabList.group(1), isCollapsed: true))
        expect(try after(closing: "b", in: list) == "^p {a *c}")
    }

    @Test func nearestOfAllComesLast() throws {
        expect(try after(closing: "a", in: .of("^p ^q *a")) == "^p ^*q")
        expect(try after(closing: "p", in: .of("^*p a b")) == "*a b")
    }

    @Test func pinnedTabIsFollowedByAPinnedOne() throws {
        expect(try after(closing: "q", in: .of("^p ^*q a")) == "^*p a")
    }

    @Test func answerIsAnIndexBeforeTheRemoval() throws {
        let list = try TabList.of("a b *c d")
        expect(list.nextActive(afterRemoving: list[0...2]) === list[3])
        expect(list.nextActive(afterRemoving: list[0...0]) === list[2])
        expect(list.nextActive(afterRemoving: list) == nil)
    }

    @Test func nextTabIsActiveBeforeTheOldOneLeaves() throws {
        let list = try TabList.of("a *b c")
        let recorder = ListRecorder(list)
        try list.close(list[1])
        expect(recorder.log, is: ["active c, was b", "removed b from 1"])
    }
}
