import BrowserModel
import BrowserSessions
import Expectations

struct WindowReservationTests {
    let manager = numberedManager()

    @Test func twoRequestsBeforeTheFirstIsOpenGetDifferentIDs() {
        manager.offer([StoredWindow(id: id(1)), StoredWindow(id: id(2))])
        let reservations = (0..<4).map { _ in manager.reserve() }
        expect(reservations.map(\.id), is: [id(1), id(2), id(1001), id(1002)])
        expect(reservations.map(\.isNew), is: [false, false, true, true])
    }

    @Test func aConfirmedReservationIsAnOpenWindow() throws {
        let reservation = manager.reserve()
        expect(!manager.isOpen(reservation.id))
        expect(manager.reservedWindows, is: [reservation.id])
        try reservation.confirm()
        expect(manager.isOpen(reservation.id))
        expect(manager.reservedWindows, is: [])
        expect(!reservation.isPending)
    }

    @Test func aReservationIsConfirmedOnce() throws {
        let confirmed = manager.reserve()
        try confirmed.confirm()
        expect(throws: WindowIDError.reservationSpent(id(1001))) { try confirmed.confirm() }
        let cancelled = manager.reserve()
        cancelled.cancel()
        cancelled.cancel()
        expect(throws: WindowIDError.reservationSpent(id(1002))) { try cancelled.confirm() }
        expect(!manager.isOpen(id(1002)))
    }

    @Test func endOfAConfirmedReservationLeavesTheWindowOpen() throws {
        let reservation = try manager.openWindow(1)
        reservation.cancel()
        do { try manager.openWindow(2) }
        expect(manager.openWindows, is: [id(1), id(2)])
    }

    @Test func aLostReservationIsGivenBack() {
        manager.offer([StoredWindow(id: id(1))])
        do {
            let reservation = manager.reserve()
            expect(manager.reservedWindows, is: [reservation.id])
        }
        expect(manager.reservedWindows, is: [])
        expect(manager.reserve().id, is: id(1))
    }

    @Test func aCancelledNewIDIsNotKept() {
        manager.reserve().cancel()
        expect(manager.reopenable, is: [])
        expect(manager.reserve().id, is: id(1002))
    }

    @Test func aSpentReservationDoesNotEndALaterOneOfTheSameID() throws {
        let first = try manager.reserve(id(1))
        first.cancel()
        let second = try manager.reserve(id(1))
        first.cancel()
        expect(manager.reservedWindows, is: [id(1)])
        try second.confirm()
    }

    @Test func anIDThatIsOpenReservedOrASentinelIsRefusedByName() throws {
        try manager.openWindow(1)
        let reservation = try manager.reserve(id(2))
        expect(throws: WindowIDError.alreadyOpen(id(1))) { try manager.reserve(id(1)) }
        expect(throws: WindowIDError.alreadyReserved(id(2))) { try manager.reserve(id(2)) }
        expect(throws: WindowIDError.sentinel(.unavailable)) { try manager.reserve(.unavailable) }
        expect("\(WindowIDError.alreadyOpen(id(1)))".contains("\(id(1)) is open; close it first"))
        reservation.cancel()
        expect(try manager.reserve(id(2)).isNew)
    }

    @Test func aWindowOfferedWhileItIsReservedIsNotNew() throws {
        let early = try manager.reserve(id(1))
        expect(early.isNew)
        manager.offer([StoredWindow(id: id(1), isReadable: false)])
        expect(!early.isNew)
        expect(!early.isReadable)
        early.cancel()
        expect(manager.reopenable.map(\.id), is: [id(1)])
    }

    @Test func aNewWindowIsStillNewAfterItWasClosed() throws {
        let reservation = try manager.openWindow(1)
        try manager.didClose(id(1), at: time(5))
        expect(reservation.isNew)
    }

    @Test func theReservationKeepsItsManager() throws {
        let reservation = WindowManager().reserve()
        try reservation.confirm()
        expect(!reservation.isPending)
    }
}
