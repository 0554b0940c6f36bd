import BrowserModel
import BrowserSessions
import Expectations

struct TabListObserverTests {
    @Test func observersAreNotKeptAlive() {
        let list = TabList()
        var recorder: ListRecorder? = ListRecorder(list)
        weak let trace = recorder
        recorder = nil
        expect(trace == nil)
        list.performBatch { _ in }
    }

    @Test func observerIsToldOnceHoweverOftenItWasAdded() throws {
        let list = TabList()
        let recorder = ListRecorder(list)
        list.addObserver(recorder)
        try list.insert("a")
        expect(recorder.log, is: ["inserted a at 0"])
        list.removeObserver(recorder)
        try list.insert("b")
        expect(recorder.log.count, is: 1)
    }

    @Test func observersAreToldInTheOrderInWhichTheyWereAdded() throws {
        let list = TabList()
        var order: [Int] = []
        let observers = (0..<3).map { number in
            let recorder = ListRecorder(list)
            recorder.onChange = { _, _ in order.append(number) }
            return recorder
        }
        try list.insert("a")
        expect(order, is: [0, 1, 2])
        expect(observers.count, is: 3)
    }

    @Test func observerAddedWhileOthersAreToldIsNotTold() throws {
        let list = TabList()
        var late: ListRecorder?
        let recorder = ListRecorder(list)
        recorder.onChange = { list, _ in if late == nil { late = ListRecorder(list) } }
        try list.insert("a")
        expect(late?.log, is: [])
        try list.insert("b")
        expect(late?.log, is: ["inserted b at 1"])
    }

    @Test func activationIsToldWithTheTabBefore() throws {
        let list = try TabList.of("*a b")
        let recorder = ListRecorder(list)
        try list.activate(list[1])
        try list.activate(list[1])
        try list.deactivate()
        expect(recorder.log, is: ["active b, was a", "active none, was b"])
    }

    @Test func insertionIsToldBeforeActivation() throws {
        let list = TabList()
        let recorder = ListRecorder(list)
        try list.insert("a", as: .active)
        expect(recorder.log, is: ["inserted a at 0", "active a, was none"])
    }

    @Test func activeTabIsShownAtTheTimeOfTheClock() throws {
        let list = TabList(now: { Timestamp(microseconds: 77) })
        let tab = try list.insert("a", as: .active)
        expect(tab.metadata.lastActiveAt, is: Timestamp(microseconds: 77))
    }

    @Test func whatHappensToATabIsToldByItsList() throws {
        let list = try TabList.of("a")
        let recorder = ListRecorder(list)
        recorder.hearsTabs = true
        let tab = list["a"]
        tab.stateDidChange()
        tab.setLoad(.loading(""))
        try list.detach(list[0])
        tab.setLoad(.none)
        expect(recorder.log, is: ["a stateChanged", "a loadingChanged", "removed a from 0"])
    }

    @Test func tabMayBeChangedWhileItsListTells() throws {
        let list = TabList()
        let recorder = ListRecorder(list)
        recorder.onChange = { _, change in
            if case .inserted(let tab, _) = change { tab.setProperty("seen", to: "yes") }
        }
        let tab = try list.insert("a")
        expect(tab.metadata.properties, is: ["seen": "yes"])
    }

    @Test func onlyTheOutermostBatchIsTold() throws {
        let list = try TabList.of("a b c")
        let recorder = ListRecorder(list)
        try list.performBatch { list in
            try list.close([list[0], list[1]])
            list.performBatch { _ in }
        }
        expect(
            recorder.log,
            is: [
                "batch begins", "removed b from 1", "removed a from 0", "batch ends",
            ])
    }

    @Test func emptyBatchIsTold() {
        let list = TabList()
        let recorder = ListRecorder(list)
        list.performBatch { _ in }
        expect(recorder.log, is: ["batch begins", "batch ends"])
    }

    @Test func batchReturnsTheAnswerOfTheChanges() throws {
        let list = try TabList.of("a b")
        expect(try list.performBatch { try $0.move($0[0], to: 1) } == 1)
    }

    @Test func batchThatFailsEndsAndKeepsWhatWasDone() throws {
        let list = try TabList.of("a")
        let recorder = ListRecorder(list)
        let stranger = TabID.random()
        expect(throws: TabListError.unknownOpener(stranger)) {
            try list.performBatch { list throws(TabListError) in
                try list.insert(Tab(title: "b"))
                try list.insert(Tab(title: "c"), as: TabInsertion(opener: stranger))
            }
        }
        expect(list.layout, is: "a b")
        expect(recorder.log, is: ["batch begins", "inserted b at 1", "batch ends"])
    }
}
