import BrowserSessions

/// The windows that closed together as the app ended.
///
/// A desktop that ends takes one window after the other, and a host cannot tell that from a user who
/// closes them. So if the app ended and no window was left, those that closed last come back: the last
/// one, and all that closed at most a grace period before the next.
struct WindowsClosedLast {
    /// How long after the last of them the app may have gone on.
    var grace: Duration
    /// The age of the store when the process began that closed them, and when it ended.
    var start: StoreAge.Mark?
    var end: StoreAge.Mark?
    var age: StoreAge

    /// - Parameter windows: all regular windows that are saved.
    /// - Returns: those that come back; none if one was open.
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
