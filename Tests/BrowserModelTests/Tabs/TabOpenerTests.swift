import BrowserModel
import BrowserSessions
import Expectations

struct TabOpenerTests {
    @Test func openerIsRecordedWithItsPageAtThatTime() throws {
        let list = try TabList.of("a")
        list["a"].didNavigate(url: "https://next.example/", title: "a", itemCount: 3, index: 2)
        let child = try list.insert("x", as: TabInsertion(opener: list["a"].id))
        expect(child.metadata.opener, is: TabOpener(tab: list["a"].id, navigationIndex: 2))
    }

    @Test func activeTabIsTheOpenerIfItIsInherited() throws {
        let list = try TabList.of("a *b c")
        let child = try list.insert("x", as: TabInsertion(inheritsOpener: true))
        expect(child.metadata.opener?.tab, is: list["b"].id)
        let named = try list.insert(
            "y", as: TabInsertion(opener: list["a"].id, inheritsOpener: true))
        expect(named.metadata.opener?.tab, is: list["a"].id)
        try list.deactivate()
        let orphan = try list.insert("z", as: TabInsertion(inheritsOpener: true))
        expect(orphan.metadata.opener == nil)
    }

    @Test func openerMustBeAnotherTabOfTheList() throws {
        let list = try TabList.of("a b")
        let stranger = TabID.random()
        let tab = Tab(title: "x")
        expect(throws: TabListError.unknownOpener(stranger)) {
            try list.insert(tab, as: TabInsertion(opener: stranger))
        }
        expect(throws: TabListError.unknownOpener(tab.id)) {
            try list.insert(tab, as: TabInsertion(opener: tab.id))
        }
        expect(throws: TabListError.unknownOpener(list["a"].id)) {
            try list.setOpener(TabOpener(tab: list["a"].id), of: list[0])
        }
        expect(throws: TabListError.unknownOpener(stranger)) {
            try list.setOpener(TabOpener(tab: stranger), of: list[0])
        }
        expect(list.layout, is: "a b")
    }

    @Test func openerThatLeavesIsForgottenAndTold() throws {
        let list = try TabList.of("a b")
        let child = try list.insert("x", as: TabInsertion(opener: list["a"].id))
        let recorder = ListRecorder(list)
        try list.detach(list[0])
        expect(child.metadata.opener == nil)
        expect(recorder.log, is: ["removed a from 0", "attributes of x at 0"])
        // One that leaves loses its own.
        let other = try list.insert("y", as: TabInsertion(opener: list["b"].id))
        try list.detach(other)
        expect(other.metadata.opener == nil)
    }

    @Test func openerCanBeSetAndTakenAway() throws {
        let list = try TabList.of("a b")
        let recorder = ListRecorder(list)
        try list.setOpener(TabOpener(tab: list["a"].id, navigationIndex: 4), of: list[1])
        expect(list["b"].metadata.opener?.navigationIndex, is: 4)
        try list.setOpener(TabOpener(tab: list["a"].id, navigationIndex: 4), of: list[1])
        try list.setOpener(nil, of: list[1])
        expect(list["b"].metadata.opener == nil)
        expect(recorder.log, is: ["attributes of b at 1", "attributes of b at 1"])
    }
}
