import BrowserModel
import BrowserSessions
import Expectations

/// What a tab list refuses, with the error that names it; nothing is changed then.
struct TabListRefusalTests {
    private let registry = TabRegistry()

    private func refuses(
        _ error: TabListError, _ tab: Tab, _ insertion: TabInsertion = .active, by list: TabList,
        file: String = #fileID, line: Int = #line
    ) {
        let (layout, places) = (list.layout, list.places)
        let (recorder, metadata) = (ListRecorder(list), tab.metadata)
        expect(throws: error, file: file, line: line) { try list.insert(tab, as: insertion) }
        expect(list.layout, is: layout, file: file, line: line)
        expect(list.places, is: places, file: file, line: line)
        expect(tab.metadata, is: metadata, file: file, line: line)
        expect(recorder.log.isEmpty, file: file, line: line)
    }

    @Test func tabThatIsInAListAlready() throws {
        let (list, other) = (try TabList.of("a *b"), TabList())
        refuses(.alreadyInserted(list["a"].id), list["a"], by: list)
        refuses(.alreadyInserted(list["a"].id), list["a"], by: other)
        expect(list["a"].list === list)
    }

    @Test func identifierThatIsInAListOfTheProfile() throws {
        let list = try TabList.of("a *b", TabList(registry: registry))
        let other = TabList(registry: registry)
        let double = Tab(id: list["a"].id)
        refuses(.duplicateIdentifier(double.id), double, by: list)
        refuses(.duplicateIdentifier(double.id), double, by: other)
        expect(throws: TabListError.duplicateIdentifier(double.id)) {
            try list.replace(list[0], with: double)
        }
        try list.close(list[0])
        try other.insert(double)
    }

    @Test func tabThatWasClosed() throws {
        let list = try TabList.of("*a b")
        let tab = list["b"]
        try list.close(list[1])
        refuses(.closed(tab.id), tab, by: list)
        expect(throws: TabListError.closed(tab.id)) { try list.replace(list[0], with: tab) }
    }

    @Test func tabThatCrossesPartitions() throws {
        let list = try TabList.of("*a b", TabList(registry: registry))
        let incognito = TabList(isIncognito: true, registry: registry)
        let tab = try list.detach(list[1])
        refuses(.crossesPartitions(tab.id), tab, by: incognito)
        let secret = try incognito.insert("s")
        try incognito.detach(incognito[0])
        refuses(.crossesPartitions(secret.id), secret, by: list)
    }

    @Test func pinnedTabInAGroup() throws {
        let list = try TabList.of("{a b}")
        let tab = Tab(title: "x")
        refuses(
            .pinnedInGroup(tab.id), tab, TabInsertion(isPinned: true, group: TabList.group(1)),
            by: list)
    }

    @Test func groupThatIsUnknown() throws {
        let unknown = NodeID.random()
        refuses(
            .unknownNode(unknown), Tab(), TabInsertion(group: unknown), by: try .of("{a b} c"))
    }

    @Test func errorsNameTheThingAndWhatToDo() {
        let (tab, group) = (TabID(high: 1, low: 2), NodeID(high: 3, low: 4))
        let errors: [(TabListError, String)] = [
            (.alreadyInserted(tab), "detach it there first"),
            (.duplicateIdentifier(tab), "give the new one an identifier of its own"),
            (.closed(tab), "make a new one"), (.pinnedInGroup(tab), "choose one"),
            (.crossesPartitions(tab), "open its address in a new tab there"),
            (.unknownOpener(tab), "not another tab of this list"),
            (.unknownNode(group), "create it first"), (.emptyNode(group), "name at least one"),
            (.duplicateNode(group), "already"),
        ]
        for (error, words) in errors {
            expect(error.description.contains(words))
            let isNamed =
                error.description.contains("\(tab)") || error.description.contains("\(group)")
            expect(isNamed, "\(error)")
        }
    }
}
