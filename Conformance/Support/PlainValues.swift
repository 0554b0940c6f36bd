import BrowserSessions

/// Ordinary values, for cases about something else.
enum Plain {
    private static let places = OrderKey.evenlySpaced(count: 1000)

    static func session(_ number: Int, _ kind: SessionKind = .regular) -> SessionID {
        SessionID(window: WindowID(high: 0xC0FFEE, low: UInt64(number)), kind: kind)
    }

    /// Returns a tab; the first thousand are in ascending order.
    static func tab(_ number: Int, title: String? = nil) -> TabMetadata {
        TabMetadata(
            id: TabID(high: 7, low: UInt64(number)),
            place: places[number % places.count],
            url: "https://example.org/page/\(number)",
            title: title ?? "Page \(number)",
            createdAt: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number)),
            lastActiveAt: Timestamp(microseconds: 1_700_000_100_000_000 + Int64(number)),
            navigationItemCount: 1)
    }

    /// Returns a session with the tabs of some numbers.
    static func window(
        _ number: Int, tabs: Range<Int>, kind: SessionKind = .regular, title: String? = nil
    ) -> ExpectedSession {
        ExpectedSession(
            id: session(number, kind),
            attributes: SessionAttributes(title: title ?? "Window \(number)"),
            tabs: tabs.map { tab($0, title: title) })
    }

    static func key(
        _ tab: Int, _ name: StateName = .navigation, _ partition: StoragePartition = .regular
    )
        -> TabStateKey
    {
        TabStateKey(tab: self.tab(tab).id, name: name, partition: partition)
    }
}

extension SessionChanges {
    /// Makes the set of some changes.
    init(_ changes: Change...) { self.init(all: changes) }

    /// Makes the set of some changes.
    init(all changes: [Change]) {
        self.init()
        for change in changes { add(change) }
    }

    /// Returns a set with the same conditions and other changes.
    func replacing(_ changes: [Change]) -> SessionChanges {
        var result = SessionChanges(all: changes)
        result.expectedSequence = expectedSequence
        result.commitID = commitID
        return result
    }
}
