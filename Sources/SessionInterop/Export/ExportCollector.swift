import BrowserSessions

/// Takes sessions tab by tab, keeps what a format can hold of them, and counts what it can't.
struct ExportCollector {
    private let exporter: SessionExporter
    private(set) var losses: ExportLosses
    private(set) var sessions: [ExportedSession] = []
    private var current: ExportedSession?
    /// Of sessions that the format has no place for.
    private var isLeftOut = false

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
        isLeftOut =
            session.place.map { !exporter.format.holds.contains($0) } ?? false
            || (session.place == .incognitoTabs && !exporter.includesIncognito)
    }

    /// - Parameter isDamaged: Whether the tab's history could not be read.
    mutating func add(_ tab: TabSnapshot, isDamaged: Bool = false) {
        if isLeftOut {
            losses.add(current?.place ?? .tabs)
        } else {
            current?.add(tab, isDamaged: isDamaged, keepsNative: exporter.format.holdsNative)
        }
    }

    mutating func endSession() {
        guard let session = current, !isLeftOut else { return }
        losses.count(session)
        sessions.append(session)
    }
}

/// Tabs whose history was found damaged in a store and that did not come yet.
final class DamagedHistories {
    private var tabs: Set<TabID> = []

    func note(_ loss: Loss) {
        if loss.kind == .state, let tab = loss.tab { tabs.insert(tab) }
    }

    func remove(_ tab: TabID) -> Bool { tabs.remove(tab) != nil }
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

    /// Counts the properties whose names do not begin with the given text.
    mutating func countProperties(_ properties: [String: String], except own: String) {
        add(.properties, properties.keys.count { !$0.hasPrefix(own) && !Self.notes.contains($0) })
    }
}

extension ExportFormat {
    /// Whether a browser reads it as its own.
    fileprivate var isOfABrowser: Bool {
        switch self {
        case .firefox, .chromium, .chromeIOS, .firefoxIOS: true
        case .bookmarks, .markdown, .html: false
        }
    }

    /// Whether it holds the bytes of an engine: of the one that every browser on iOS has.
    fileprivate var holdsNative: Bool { self == .chromeIOS || self == .firefoxIOS }
}
