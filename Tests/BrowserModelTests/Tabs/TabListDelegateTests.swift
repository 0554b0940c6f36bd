import BrowserModel
import BrowserSessions
import Expectations

struct TabListDelegateTests {
    private let delegate = DelegateRecorder()

    private func makeList() -> TabList {
        let list = TabList()
        list.delegate = delegate
        return list
    }

    @Test func delegateIsToldBeforeInsertionAndAfterRemoval() throws {
        let list = makeList()
        try list.insert("a")
        try list.close(list[0])
        expect(
            delegate.log,
            is: [
                "will insert a, not in the list", "attach to a, in the list",
                "did remove a, not in the list",
            ])
    }

    @Test func delegateIsToldOfNothingThatIsRefused() throws {
        let list = makeList()
        expect(throws: TabListError.self) {
            try list.insert("a", as: TabInsertion(opener: .random()))
        }
        expect(delegate.log.isEmpty)
    }

    @Test func helpersAreAttachedWhenTheTabBecomesRealized() async throws {
        let list = makeList()
        let tab = Tab.unrealized("a")
        try list.insert(tab)
        expect(delegate.log, is: ["will insert a, not in the list"])
        try await tab.forceRealization()
        try await tab.forceRealization()
        try list.activate(list[0])
        expect(delegate.log.dropFirst(), is: ["attach to a, in the list"])
    }

    @Test func helpersAreAttachedOnceForATabThatIsInsertedAndActivated() throws {
        let list = makeList()
        try list.insert(Tab.unrealized("a"), as: .active)
        expect(delegate.log, is: ["will insert a, not in the list", "attach to a, in the list"])
    }

    @Test func helpersAreAttachedOnceForEachStay() throws {
        let list = makeList()
        let tab = try list.insert("a")
        try list.detach(list[0])
        delegate.log = []
        try list.insert(tab)
        expect(delegate.log, is: ["will insert a, not in the list", "attach to a, in the list"])
    }

    @Test func delegateMayServeSeveralLists() throws {
        let (first, second) = (makeList(), makeList())
        let tab = try first.insert("a")
        try first.detach(first[0])
        try second.insert(tab)
        expect(delegate.log.count { $0.hasPrefix("will insert") }, is: 2)
        expect(delegate.log.count { $0.hasPrefix("did remove") }, is: 1)
    }

    @Test func delegateIsNotKeptAlive() {
        let list = TabList()
        var shortLived: DelegateRecorder? = DelegateRecorder()
        list.delegate = shortLived
        expect(list.delegate === shortLived)
        shortLived = nil
        expect(list.delegate == nil)
    }

    @Test func severalRemovalsAreEachToldToTheDelegate() throws {
        let list = makeList()
        try list.insert("a")
        try list.insert("b")
        delegate.log = []
        list.closeAll(reason: .user)
        expect(
            delegate.log, is: ["did remove b, not in the list", "did remove a, not in the list"])
    }
}
