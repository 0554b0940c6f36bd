import BrowserModel
import BrowserSessions
import Expectations

struct BatchTests {
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
        #expect(throws: TabListError.unknownOpener(stranger)) {
            try list.performBatch { list throws(TabListError) in
                try list.insert(Tab(title: "b"))
                try list.insert(Tab(title: "c"), as: TabInsertion(opener: stranger))
            }
        }
        expect(list.layout, is: "a b")
        expect(recorder.log, is: ["batch begins", "inserted b at 1", "batch ends"])
    }
}
