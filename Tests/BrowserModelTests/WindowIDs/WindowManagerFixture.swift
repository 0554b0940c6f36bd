import BrowserModel
import BrowserSessions
import Testing

/// Short ids for tests: `id(3)` ends with 3.
func id(_ number: UInt64) -> WindowID { WindowID(high: 7, low: number) }

func time(_ number: Int64) -> Timestamp { Timestamp(microseconds: number) }

/// A manager that makes the ids 1001, 1002, and so on.
func numberedManager(sentinels: Set<WindowID> = [.unavailable]) -> WindowManager {
    var last: UInt64 = 1000
    return WindowManager(sentinels: sentinels) {
        last += 1
        return id(last)
    }
}

extension WindowManager {
    /// Opens the window of that id and returns its reservation.
    @discardableResult
    func openWindow(_ number: UInt64) throws -> WindowReservation {
        let reservation = try reserve(id(number))
        try reservation.confirm()
        return reservation
    }
}
