import BrowserModel
import BrowserSessions
import Expectations

struct WindowOrderTests {
    let manager = numberedManager()

    @Test func theWindowClosedLastIsReopenedFirst() throws {
        try manager.openWindow(1)
        try manager.openWindow(2)
        try manager.didClose(id(2), at: time(10))
        try manager.didClose(id(1), at: time(20))
        let reservations = [manager.reserve(), manager.reserve()]
        expect(reservations.map(\.id), is: [id(1), id(2)])
        expect(reservations.allSatisfy { !$0.isNew })
    }

    @Test func aClockThatWasSetBackDoesNotChangeTheOrder() throws {
        try manager.openWindow(1)
        try manager.openWindow(2)
        try manager.didClose(id(2), at: time(20))
        try manager.didClose(id(1), at: time(10))
        expect(manager.reopenable.map(\.id), is: [id(1), id(2)])
        expect(manager.reopenable.map(\.closedAt), is: [time(10), time(20)])
    }

    @Test func windowsThatWereOpenAtTheEndComeBeforeClosedOnes() {
        manager.offer([
            StoredWindow(id: id(1), closedAt: time(90)),
            StoredWindow(id: id(2), lastActiveAt: time(10)),
            StoredWindow(id: id(3), closedAt: time(95)),
            StoredWindow(id: id(4), lastActiveAt: time(20)),
        ])
        expect(manager.reopenable.map(\.id), is: [id(4), id(2), id(3), id(1)])
        expect(manager.reserve().id, is: id(4))
    }

    @Test func aWindowClosedNowComesBeforeThoseOfTheLastRun() throws {
        manager.offer([
            StoredWindow(id: id(1), lastActiveAt: time(90)),
            StoredWindow(id: id(2), lastActiveAt: time(80)),
        ])
        try manager.reserve().confirm()
        try manager.didClose(id(1), at: time(50))
        expect(manager.reopenable.map(\.id), is: [id(1), id(2)])
    }

    @Test func tiesAreResolvedByIDWhateverTheOrderOfTheOffer() {
        let windows = [3, 1, 2].map { StoredWindow(id: id($0), closedAt: time(5)) }
        manager.offer(windows)
        expect(manager.reopenable.map(\.id), is: [id(1), id(2), id(3)])
        let other = numberedManager()
        other.offer(windows.reversed())
        expect(other.reopenable, is: manager.reopenable)
    }

    @Test func unreadableWindowsAreOfferedAfterReadableOnesOfTheirClass() {
        manager.offer([
            StoredWindow(id: id(1), lastActiveAt: time(9), isReadable: false),
            StoredWindow(id: id(2), lastActiveAt: time(1)),
            StoredWindow(id: id(3), closedAt: time(8), isReadable: false),
            StoredWindow(id: id(4), closedAt: time(2)),
        ])
        let reservations = (0..<4).map { _ in manager.reserve() }
        expect(reservations.map(\.id), is: [id(2), id(1), id(4), id(3)])
        expect(reservations.map(\.isReadable), is: [true, false, true, false])
        expect(reservations.allSatisfy { !$0.isNew })
    }

    @Test func aWindowClosedAtAnUnknownTimeComesLast() {
        manager.offer([
            StoredWindow(id: id(1), closedAt: .unknown),
            StoredWindow(id: id(2), closedAt: time(1)),
            StoredWindow(id: id(3)),
        ])
        expect(manager.reopenable.map(\.id), is: [id(3), id(2), id(1)])
    }

    @Test func aWindowClosedInThisRunKeepsItsPlaceWhenItIsOfferedAgain() throws {
        try manager.openWindow(1)
        try manager.didClose(id(1), at: time(50))
        manager.offer([
            StoredWindow(id: id(1)), StoredWindow(id: id(2), lastActiveAt: time(90)),
        ])
        expect(manager.reopenable.map(\.id), is: [id(1), id(2)])
        expect(manager.reopenable.first?.closedAt, is: time(50))
    }

    @Test func aWindowThatWasReopenedAndNotConfirmedKeepsItsPlace() throws {
        try manager.openWindow(1)
        try manager.openWindow(2)
        try manager.didClose(id(1), at: time(1))
        try manager.didClose(id(2), at: time(2))
        manager.reserve().cancel()
        expect(manager.reserve().id, is: id(2))
    }

    @Test func theOrderSurvivesARelaunchThroughWhatIsStored() throws {
        try manager.openWindow(1)
        try manager.openWindow(2)
        try manager.openWindow(3)
        try manager.didClose(id(2), at: time(10))
        try manager.didClose(id(1), at: time(20))
        let next = numberedManager()
        next.offer(manager.reopenable + [StoredWindow(id: id(3), lastActiveAt: time(5))])
        expect(next.reopenable.map(\.id), is: [id(3), id(1), id(2)])
    }
}
