import BrowserSessions

/// The record of one history entry, in `Session` and `Tabs` files alike.
struct ChromiumNavigation {
    /// Chromium's own bound: the parts of an entry that vary take no more, or are left out. No address
    /// is longer.
    static let mostBytes = SNSSRecords.maximumPayload - 1024
    /// What is written of the properties of an entry.
    private static let written: Set<String> = [
        "chromium.transition", "chromium.has-post-data", "chromium.original-request-url",
        "chromium.http-status",
    ]

    let entry: NavigationEntry

    /// Adds the record.
    func write(
        _ command: UInt8, tab: Int32, index: Int, to log: inout SNSSRecords,
        _ losses: inout ExportLosses
    ) {
        var room = Self.mostBytes - entry.url.utf8.count
        let title = fitting(entry.title, 2 * entry.title.utf16.count, &room)
        if title.isEmpty, !entry.title.isEmpty { losses.add(.entryTitles) }
        let referrer = fitting(entry.referrer, entry.referrer.utf8.count, &room)
        if referrer.isEmpty, !entry.referrer.isEmpty { losses.add(.referrers) }
        let request = entry.properties["chromium.original-request-url"] ?? ""
        let original = fitting(request, request.utf8.count, &room)
        if original.isEmpty, !request.isEmpty { losses.add(.properties) }
        let isOwn = isPageStateOfChromium
        let state = isOwn && entry.pageState.count <= room ? entry.pageState : []
        if state.isEmpty, !entry.pageState.isEmpty { losses.add(.pageStates) }
        losses.countProperties(entry.properties) { Self.written.contains($0) }
        // Only whether the page was told that it is on a desktop.
        let isHeld = entry.userAgent == .desktop || entry.userAgent == .unspecified
        losses.add(.userAgents, isHeld ? 0 : 1)
        log.pickle(command) {
            $0.int(tab)
            $0.int(Int32(clamping: index))
            $0.data(entry.url.utf8)
            $0.string16(title)
            $0.data(state)
            $0.int(number("transition"))
            $0.int(entry.properties["chromium.has-post-data"] == nil ? 0 : 1)
            $0.data(referrer.utf8)
            $0.int(entry.referrerPolicy)
            $0.data(original.utf8)
            $0.bool(entry.userAgent == .desktop)
            $0.int64(entry.time.windowsMicroseconds)
            $0.string16("")
            $0.int(number("http-status"))
            $0.int(entry.referrerPolicy)
            $0.int(0)
        }
    }

    /// Chromium's begins with its own size; Firefox's is JSON.
    private var isPageStateOfChromium: Bool { PickleReader(entry.pageState[...]) != nil }

    private func fitting(_ text: String, _ size: Int, _ room: inout Int) -> String {
        guard size <= room else { return "" }
        room -= size
        return text
    }

    private func number(_ name: String) -> Int32 {
        entry.properties["chromium." + name].flatMap { Int32($0) } ?? 0
    }
}

extension Timestamp {
    /// Since 1601-01-01 UTC, as Chromium counts; 0 for unknown.
    var windowsMicroseconds: Int64 {
        self == .unknown ? 0 : microseconds.addingReportingOverflow(11_644_473_600_000_000).0
    }
}
