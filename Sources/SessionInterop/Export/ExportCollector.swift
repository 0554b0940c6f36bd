import BrowserSessions

/// Takes sessions tab by tab, keeps what a format can hold of them, and counts what it can't.
struct ExportCollector {
    private let exporter: SessionExporter
    private(set) var losses: ExportLosses
    private(set) var sessions: [ExportedSession] = []
    private var current: ExportedSession?
    /// What the tabs of the session are, if the format has no place for it or it is not asked for.
    private var leftOut: SessionPart?
    /// What is lost and of no session that anybody can name, in sentences.
    private(set) var unnamedLosses: [String] = []
    /// Tabs whose history was found damaged and that did not come yet.
    private var damaged: Set<TabID> = []

    init(_ exporter: SessionExporter) {
        self.exporter = exporter
        losses = ExportLosses(format: exporter.format)
    }

    /// - Parameter losses: What of the session could not be read, in sentences.
    mutating func begin(
        _ id: SessionID, _ attributes: SessionAttributes, losses: [String] = []
    ) {
        var session = ExportedSession(id, attributes)
        session.losses = losses
        current = session
        leftOut = session.place.flatMap { exporter.format.holds.contains($0) ? nil : $0 }
        if session.isIncognito,
            !exporter.includesIncognito || !exporter.format.holds.contains(.incognitoTabs)
        {
            leftOut = .incognitoTabs
        }
    }

    mutating func add(_ tab: TabSnapshot) {
        let isDamaged = damaged.remove(tab.metadata.id) != nil
        if let leftOut {
            losses.add(leftOut)
        } else {
            current?.add(tab, isDamaged: isDamaged, for: exporter.format, &losses)
        }
    }

    mutating func endSession() {
        guard let session = current, leftOut == nil else { return }
        guard !session.tabs.isEmpty || !exporter.format.isOfADesktopBrowser else {
            losses.add(.emptyWindows)
            return
        }
        losses.count(session)
        sessions.append(session)
    }

    /// Takes note of what a store has lost.
    mutating func note(_ loss: Loss) {
        if loss.kind == .state, let tab = loss.tab { damaged.insert(tab) }
        if loss.session == nil, !unnamedLosses.contains(loss.detail) {
            unnamedLosses.append(loss.detail)
        }
    }
}

/// Counts what a format does not hold.
struct ExportLosses {
    let format: ExportFormat
    private(set) var counts: [SessionPart: Int] = [:]
    /// What readers noted of a session and writers say in another way.
    private static let notes: Set<String> = [
        "firefox.is-selected-window", "firefox.closed-at", "chromium.is-active",
    ]

    init(format: ExportFormat) { self.format = format }

    mutating func add(_ part: SessionPart, _ count: Int = 1) {
        if count > 0 { counts[part, default: 0] += count }
    }

    /// Counts the parts of a session that the format has no place for.
    mutating func count(_ session: ExportedSession) {
        add(.unreadableHistories, session.tabs.count { $0.origin == .unreadable })
        for part in SessionPart.allCases where !format.holds.contains(part) {
            // What a browser's format holds of these depends on the browser that they came from, so
            // its writer counts them one by one.
            let isCountedByWriter = part == .pageStates || part == .properties
            if !isCountedByWriter || !format.isOfABrowser { add(part, part.count(in: session)) }
        }
    }

    /// Counts the properties that are not written.
    mutating func countProperties(
        _ properties: [String: String], isWritten: (_ name: String) -> Bool
    ) {
        add(.properties, properties.keys.count { !isWritten($0) && !Self.notes.contains($0) })
    }
}
