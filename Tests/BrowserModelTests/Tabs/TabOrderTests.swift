import BrowserSessions
import Expectations
import SessionSamples

@testable import BrowserModel

/// What a list finds without looking through its tabs is what looking through them finds.
struct TabOrderTests {
    @Test(arguments: [5, 6, 7] as [UInt64])
    func answersAreRightAfterAnyChanges(seed: UInt64) {
        var changer = RandomChanger(seed: seed)
        for step in 1...1_500 {
            let what = changer.change()
            for list in [changer.list, changer.other] {
                let naive = NaiveList(list: list)
                let removed = Set(list.indices.filter { _ in changer.random.chance(1, in: 2) })
                    .union(list.activeIndex.map { [$0] } ?? [])
                let wrong =
                    naive.differences()
                    + (list.nextActive(afterRemoving: removed.sorted())
                        === naive.nextActive(afterRemoving: removed).map { list[$0] }
                        ? [] : ["the next active tab"])
                guard wrong.isEmpty else {
                    recordIssue("step \(step), \(what), \(list.layout): \(wrong)")
                    return
                }
            }
        }
    }

    @Test func tabsAreFoundHoweverFarTheyWereMoved() throws {
        let list = TabList()
        for number in 0..<2_000 { try list.insert("\(number)", as: TabInsertion(at: number)) }
        let (first, last) = (list[0], list[1_999])
        for _ in 0..<700 { try list.insert("new", as: TabInsertion(at: 0)) }
        expect(list.index(of: first), is: 700)
        for _ in 0..<1_500 { try list.close(list[0]) }
        expect(list.index(of: last), is: list.count - 1)
        expect(list.index(of: first) == nil)
        expect(NaiveList(list: list).differences(), is: [])
    }

    @Test func fewAndManyChildrenAreFound() throws {
        for count in [3, 60] {
            let list = TabList()
            let opener = try list.insert("opener")
            let other = try list.insert("other")
            for number in 0..<120 {
                let parent = number.isMultiple(of: 120 / count) ? opener : other
                try list.insert("\(number)", as: TabInsertion(at: list.count, opener: parent.id))
            }
            let naive = NaiveList(list: list)
            for index in [0, 1, 5, 60, 121] {
                try list.activate(list[index])
                for removed in [[index], [0, index], Array(0..<60) + [index]].map({ Set($0) }) {
                    expect(
                        list.nextActive(afterRemoving: removed.sorted())
                            === naive.nextActive(afterRemoving: removed).map { list[$0] })
                }
            }
            expect(naive.differences(), is: [])
            try list.close(stride(from: 0, to: 120, by: 3).map { list[$0] })
            expect(naive.differences(), is: [])
        }
    }
}
