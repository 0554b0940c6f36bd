import BrowserSessions

/// The record of one history entry, as in `Session` and `Tabs` files.
struct ChromiumNavigation {
    /// Chromium's own limit in bytes. The variable parts of an entry take no more, or are left out.
    /// No address is longer.
    static let mostBytes = SNSSRecords.maximumPayload - 1024
    /// The properties of an entry that are written.
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
        var bytesLeft = Self.mostBytes - entry.url.utf8.count
        func fitting(_ text: String, _ size: Int, _ part: SessionPart) -> String {
            guard size <= bytesLeft else {
                losses.add(part, text.isEmpty ? 0 : 1)
                return ""
            }
            bytesLeft -= size
            return text
        }
        let title = fitting(entry.title, 2 * entry.title.utf16.count, .entryTitles)
        let referrer = fitting(entry.referrer, entry.referrer.utf8.count, .referrers)
        let request = entry.properties["chromium.original-request-url"] ?? ""
        let original = fitting(request, request.utf8.count, .properties)
        let isOwn = isPageStateOfChromium
        let state = isOwn && entry.pageState.count <= bytesLeft ? entry.pageState : []
        if state.isEmpty, !entry.pageState.isEmpty { losses.add(.pageStates) }
        losses.countProperties(entry.properties) { Self.written.contains($0) }
        // The record only says whether the page got the user agent of a desktop.
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

    /// Whether the page state is Chromium's, which begins with its size. Firefox's is JSON.
    private var isPageStateOfChromium: Bool { PickleReader(entry.pageState[...]) != nil }

    private func number(_ name: String) -> Int32 {
        entry.properties["chromium." + name].flatMap { Int32($0) } ?? 0
    }
}

extension Timestamp {
    /// The microseconds since 1601-01-01 UTC, as in Chromium; 0 if unknown.
    var windowsMicroseconds: Int64 {
        self == .unknown ? 0 : microseconds.addingReportingOverflow(11_644_473_600_000_000).0
    }
}
