import BrowserModel
import BrowserSessions
import Expectations

struct BatchTests {
    @Test func onlyTheOutermostBatchIsTold() throws {
        let list = try TabList.of("a b c")
        let recorder = ListRecorder(list)
        list.performBatch { list in
            list.close(at: [0, 1])
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
        expect(list.performBatch { $0.move(from: 0, to: 1) }, is: 1)
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
