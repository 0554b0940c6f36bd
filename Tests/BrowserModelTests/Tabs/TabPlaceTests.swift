import BrowserModel
import BrowserSessions
import Expectations

struct TabPlaceTests {
    private func changed(in list: TabList, by change: (TabList) throws -> Void) rethrows -> Int {
        let before = Dictionary(uniqueKeysWithValues: list.tabs.map { ($0.id, $0.metadata.place) })
        try change(list)
        return list.tabs.count { before[$0.id] != nil && before[$0.id] != $0.metadata.place }
    }

    @Test func insertionChangesThePlaceOfNoOtherTab() throws {
        let list = try TabList.of("^p a {b c} d")
        for insertion in [TabInsertion(at: 2), .automatic, TabInsertion(isPinned: true)] {
            expect(try changed(in: list) { try $0.insert("x", as: insertion) } == 0)
        }
        expect(TabListRules.broken(by: list), is: [])
    }

    @Test func moveChangesThePlaceOfTheMovedTabAlone() throws {
        let list = try TabList.of("a b c d e")
        expect(try changed(in: list) { try $0.move($0[0], to: 3) } == 1)
        expect(try changed(in: list) { try $0.pin($0[4]) } <= 1)
        expect(TabListRules.broken(by: list), is: [])
    }

    @Test func movedGroupChangesNoPlaceButItsOwn() throws {
        let list = try TabList.of("a {b c} d e f")
        let place = list.group(TabList.group(1))?.place
        expect(try changed(in: list) { try $0.move(TabList.group(1), to: 3) } == 0)
        expect(list.group(TabList.group(1))?.place != place)
    }

    @Test func removalChangesNoPlace() throws {
        let list = try TabList.of("a b *c d")
        expect(try changed(in: list) { try $0.close([$0[0], $0[2]]) } == 0)
    }

    @Test func detachedTabThatComesBackKeepsItsPlace() throws {
        let list = try TabList.of("a b c")
        let tab = try list.detach(list[1])
        let place = tab.metadata.place
        try list.insert(tab, as: TabInsertion(at: 1))
        expect(tab.metadata.place, is: place)
    }

    @Test func listIsRenumberedAndTellsItWhenThereIsNoRoom() throws {
        let list = try TabList.of("a b")
        let recorder = ListRecorder(list)
        for _ in 1...1_000 {
            let tab = try list.insert("x", as: TabInsertion(at: 1))
            expect(tab.metadata.place.length <= 48)
        }
        let renumberings = recorder.log.count { $0 == "renumbered" }
        expect((1...5).contains(renumberings))
        expect(zip(list.places, list.places.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func groupsThatOvertakeEachOtherAgainAndAgainAreRenumberedToo() throws {
        let list = try TabList.of("a {b c} {d e} f")
        let recorder = ListRecorder(list)
        for _ in 1...2_000 {
            try list.move(list.groups[0].id, to: 3)
            expect(list.groups.allSatisfy { $0.place.length <= 48 })
        }
        expect(TabListRules.broken(by: list), is: [])
        expect(recorder.log.contains("renumbered"))
    }
}
