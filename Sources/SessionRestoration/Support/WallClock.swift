import BrowserSessions

/// The wall clock, for the times that are saved.
struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp

    init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    var now: Timestamp { read() }
}
