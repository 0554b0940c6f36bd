import BrowserModel
import BrowserSessions
import Expectations

struct WindowManagerTests {
    let manager = numberedManager()

    @Test func withoutStoredWindowsTheIDIsNew() {
        let reservation = manager.reserve()
        expect(reservation.isNew && reservation.isReadable)
        expect(reservation.id, is: id(1001))
    }

    @Test func aSentinelIsLeftOutOfAnOfferAndReported() {
        let omitted = manager.offer([
            StoredWindow(id: .unavailable), StoredWindow(id: id(1)), StoredWindow(id: id(1)),
        ])
        expect(omitted, is: [.unavailable, id(1)])
        expect(manager.reopenable.map(\.id), is: [id(1)])
        expect(manager.offer([StoredWindow(id: id(2))]), is: [])
    }

    @Test func theFirstOfARepeatedIDCounts() {
        manager.offer([
            StoredWindow(id: id(1), closedAt: time(5)), StoredWindow(id: id(1), closedAt: time(6)),
        ])
        expect(manager.reopenable, is: [StoredWindow(id: id(1), closedAt: time(5))])
    }

    @Test func theSentinelForNoWindowIsKnownByDefault() throws {
        expect(WindowManager().sentinels, is: [.unavailable, .profileWide])
        expect("\(WindowID.unavailable)", is: "E1E1E1E1-E1E1-E1E1-E1E1-CD68A019860B")
        // Was the id of every window before there were several, so real files bear it.
        let former = try require(WindowID("44BA0B7D-097A-484D-8358-91A6E374451D"))
        expect(manager.offer([StoredWindow(id: former)]), is: [])
        expect(try manager.reserve(former).id == former)
    }

    @Test func testsBringTheirOwnSentinelAndIDs() throws {
        let manager = numberedManager(sentinels: [id(1001)])
        expect(manager.reserve().id, is: id(1002))
        expect(throws: WindowIDError.sentinel(id(1001))) { try manager.reserve(id(1001)) }
        expect(try manager.reserve(.unavailable).id == .unavailable)
    }

    @Test func aNewIDIsNoneThatIsKnown() throws {
        manager.offer([StoredWindow(id: id(1001))])
        try manager.openWindow(1002)
        let reservation = try manager.reserve(id(1003))
        let new = manager.reserveNew()
        expect(new.id == id(1004) && new.isNew && new.isReadable && !manager.isOpen(new.id))
        reservation.cancel()
    }

    @Test func onlyAnOpenWindowCanBeClosed() throws {
        let reservation = try manager.reserve(id(1))
        expect(throws: WindowIDError.notOpen(id(1))) { try manager.didClose(id(1), at: time(1)) }
        expect(throws: WindowIDError.notOpen(id(9))) { try manager.didClose(id(9), at: time(1)) }
        try reservation.confirm()
        try manager.didClose(id(1), at: time(1))
        expect(throws: WindowIDError.notOpen(id(1))) { try manager.didClose(id(1), at: time(2)) }
        expect(manager.reopenable.map(\.closedAt), is: [time(1)])
    }

    @Test func aWindowThatIsReopenedAndClosedIsFirstAgain() throws {
        for number: UInt64 in 1...3 { try manager.openWindow(number) }
        for number: UInt64 in 1...3 { try manager.didClose(id(number), at: time(1)) }
        try manager.openWindow(1)
        expect(manager.reopenable.map(\.id), is: [id(3), id(2)])
        try manager.didClose(id(1), at: time(2))
        expect(manager.reopenable.map(\.id), is: [id(1), id(3), id(2)])
    }

    @Test func forgottenWindowsAreNeverOfferedAgain() throws {
        manager.offer([StoredWindow(id: id(1)), StoredWindow(id: id(2))])
        try manager.forget([id(1), id(77)])
        expect(manager.reopenable.map(\.id), is: [id(2)])
        expect(try manager.reserve(id(1)).isNew)
    }

    @Test func noOpenWindowIsForgottenAndThenNoneIs() throws {
        manager.offer([StoredWindow(id: id(1)), StoredWindow(id: id(2))])
        try manager.openWindow(2)
        expect(throws: WindowIDError.alreadyOpen(id(2))) { try manager.forget([id(1), id(2)]) }
        expect(manager.reopenable.map(\.id), is: [id(1)])
    }

    @Test func aForgottenWindowThatIsReservedStaysSoAndIsNew() throws {
        manager.offer([StoredWindow(id: id(1), isReadable: false)])
        let reservation = try manager.reserve(id(1))
        try manager.forget([id(1)])
        expect(reservation.isPending && reservation.isNew && reservation.isReadable)
        expect(manager.reservedWindows, is: [id(1)])
        reservation.cancel()
        expect(manager.reopenable.isEmpty)
    }

    @Test func openWindowsAreListedInTheOrderOfOpening() throws {
        for number: UInt64 in [3, 1, 2] { try manager.openWindow(number) }
        try manager.didClose(id(3), at: time(1))
        try manager.openWindow(3)
        expect(manager.openWindows, is: [id(1), id(2), id(3)])
    }

    @Test func aWindowOpenedFromTheStoreIsNotOfferedTwice() throws {
        manager.offer([StoredWindow(id: id(1))])
        try manager.reserve().confirm()
        manager.offer([StoredWindow(id: id(1))])
        expect(manager.reopenable, is: [])
        expect(manager.reserve().isNew)
    }

    @Test func aMakerOfIDsThatRepeatsItselfStopsInDebug() async {
        await #expect(processExitsWith: .failure) {
            let manager = WindowManager(makeID: { WindowID(high: 1, low: 1) })
            let reservations = [manager.reserve(), manager.reserve()]
            withExtendedLifetime(reservations) {}
        }
    }
}
