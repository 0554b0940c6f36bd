import BrowserSessions

/// The counts of what a format does not hold.
struct ExportLosses {
    let format: ExportFormat
    private(set) var counts: [SessionPart: Int] = [:]
    /// The losses of the store that do not belong to a known session, in sentences.
    var unnamed: [String] = []
    /// The notes of readers that writers express differently.
    private static let notes: Set<String> = [
        "firefox.is-selected-window", "firefox.is-saved-groups", "firefox.zIndex",
        "chromium.is-active",
    ]

    mutating func add(_ part: SessionPart, _ count: Int = 1) {
        if count > 0 { counts[part, default: 0] += count }
    }

    /// Counts the parts of a session that the format cannot hold.
    mutating func count(_ session: ExportedSession) {
        add(.unreadableHistories, session.tabs.count { $0.origin == .unreadable })
        for part in SessionPart.allCases where !format.holds.contains(part) {
            // A browser's format holds only those that came from the same browser, so its writer
            // counts them one by one.
            let isCountedByWriter = part == .pageStates || part == .properties
            if !isCountedByWriter || !format.isOfABrowser { add(part, part.count(in: session)) }
        }
    }

    /// Counts the properties that are not written.
    mutating func countProperties(
        _ properties: [String: String], isWritten: (_ name: String) -> Bool
    ) {
        add(.properties, Self.count(properties.filter { !isWritten($0.key) }))
    }

    /// Returns the number of properties that are worth reporting.
    static func count(_ properties: [String: String]) -> Int {
        properties.keys.count { !notes.contains($0) && !OwnProperty.isOwn($0) }
    }
}
