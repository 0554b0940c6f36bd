import BrowserModel
import BrowserSessions
import Expectations

struct TabReplacementTests {
    @Test func newTabInheritsPlacePinGroupAndOpener() throws {
        let list = try TabList.of("^p a {b c}")
        try list.setOpener(TabOpener(tab: list["a"].id, navigationIndex: 2), of: list["b"])
        let old = list["b"].metadata
        let new = Tab(title: "x")
        expect(try list.replace(list["b"], with: new).title == "b")
        expect(list.layout, is: "^p a {x c}")
        expect(new.metadata.place, is: old.place)
        expect(new.metadata.opener, is: old.opener)
        try list.replace(list[0], with: Tab(title: "y"))
        expect(list.layout, is: "^y a {x c}")
    }

    @Test func oldTabIsClosedAsReplaced() throws {
        let list = try TabList.of("a")
        var removal: TabRemoval?
        let recorder = ListRecorder(list)
        recorder.onChange = { if case .replaced(let told, _) = $1 { removal = told } }
        let old = try list.replace(list[0], with: Tab(title: "x"))
        expect(old.isClosed)
        expect(removal?.closing, is: .replacement)
        expect(removal?.tab === old)
        expect(recorder.log, is: ["replaced a at 0 with x"])
    }

    @Test func tabThatReplacesTheActiveOneIsActiveAndRealizedWhichIsTold() throws {
        let list = try TabList.of("*a b")
        let recorder = ListRecorder(list)
        let new = Tab.unrealized("x")
        try list.replace(list[0], with: new)
        expect(list.layout, is: "*x b")
        expect(new.isRealized)
        expect(recorder.log, is: ["replaced a at 0 with x", "active x, was a"])
    }

    @Test func tabThatReplacesAnotherStaysUnrealized() throws {
        let list = try TabList.of("*a b")
        let new = Tab.unrealized("x")
        try list.replace(list[1], with: new)
        expect(list.layout, is: "*a x")
        expect(!new.isRealized)
    }

    @Test func delegateIsToldOfBoth() throws {
        let list = try TabList.of("a")
        let delegate = DelegateRecorder()
        list.delegate = delegate
        try list.replace(list[0], with: Tab(title: "x"))
        expect(
            delegate.log,
            is: [
                "will insert x, not in the list", "did remove a, not in the list",
                "attach to x, in the list",
            ])
    }
}
