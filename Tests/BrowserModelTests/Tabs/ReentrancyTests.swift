import BrowserModel
import BrowserSessions
import Expectations

/// Changing a list while it reports a change stops a debug build with the rule's words.
struct ReentrancyTests {
    private func names(_ rule: ModelRule, _ result: ExitTest.Result?) -> Bool {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        return text.contains(rule.rawValue)
    }

    @Test func listIsNotChangedByAnObserver() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let list = TabList()
            let recorder = ListRecorder(list)
            recorder.onChange = { list, _ in _ = try? list.insert(Tab()) }
            try list.insert(Tab())
        }
        expect(names(.notReentrant, result))
    }

    @Test func listIsNotChangedByItsDelegate() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let list = TabList()
            let delegate = MeddlingDelegate()
            list.delegate = delegate
            try list.insert(Tab())
        }
        expect(names(.notReentrant, result))
    }

    @Test func listIsNotChangedByAnObserverOfATabThatIsShown() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let list = try TabList.of("*a b")
            let recorder = TabRecorder()
            recorder.onEvent = { tab, _ in try? tab.list?.deactivate() }
            list[1].addObserver(recorder)
            try list.activate(list[1])
        }
        expect(names(.notReentrant, result))
    }

    @Test func noBatchBeginsWhileObserversAreTold() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let list = TabList()
            let recorder = ListRecorder(list)
            recorder.onChange = { list, _ in list.performBatch { _ in } }
            try list.insert(Tab())
        }
        expect(names(.batchesEnd, result))
    }

    @Test func tabOfAListIsClosedByTheList() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let list = try TabList.of("a")
            list[0].close()
        }
        expect(names(.listsCloseTheirTabs, result))
    }

    @Test func indexThatIsOutOfBoundsStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = TabList()[0] }
    }
}

private final class MeddlingDelegate: TabListDelegate {
    func tabList(_ list: TabList, willInsert tab: Tab) { try? list.deactivate() }
    func tabList(_ list: TabList, attachHelpersTo tab: Tab) {}
    func tabList(_ list: TabList, didRemove tab: Tab) {}
}
