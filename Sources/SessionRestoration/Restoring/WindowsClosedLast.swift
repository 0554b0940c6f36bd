import BrowserSessions

/// The windows that closed together as the app ended.
///
/// When a desktop session ends, it closes one window after the other, and a host cannot distinguish this from
/// a user who closes them. If the app ended and no window was left, the windows that closed last therefore
/// come back: the last one, and all that closed at most a grace period before the next.
struct WindowsClosedLast {
    /// The longest time from the last closing to the end of the app.
    var grace: Duration
    /// The store's age when the process that closed the windows began, and when it ended.
    var start: StoreAge.Mark?
    var end: StoreAge.Mark?
    var age: StoreAge

    /// Returns the windows that come back; empty if a window was open.
    /// - Parameter windows: all saved regular windows.
    func sessions(among windows: [RestoredSession]) -> Set<SessionID> {
        guard let start, let end, age.knows(end),
            windows.allSatisfy(\.isClosed)
        else { return [] }
        let closed = windows.filter { !$0.tabs.isEmpty }
            .compactMap { session in
                session.attributes.ageMark.map { (id: session.id, mark: $0) }
            }
            .filter { age.knows($0.mark) && $0.mark.value > start.value }
            .sorted { $0.mark.value > $1.mark.value }
        var together: Set<SessionID> = []
        var next = end
        for window in closed {
            guard next.value - window.mark.value <= grace.microseconds else { break }
            together.insert(window.id)
            next = window.mark
        }
        return together
    }
}
