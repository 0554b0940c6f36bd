package import BrowserSessions

/// A session while it is read: histories are not encoded yet, rules may be broken.
struct SessionDraft {
    var id: SessionID
    var attributes = SessionAttributes()
    var tabs: [TabDraft] = []
    /// Where the session is in its source: `windows[0]`.
    var location = ""
}

/// A tab while it is read.
struct TabDraft {
    var metadata: TabMetadata
    var history: NavigationHistory?
    var native: [UInt8]?
    /// States as they are, of a source that has them so; what is read of them comes over them.
    var states: [StateName: [UInt8]] = [:]
    /// Where the tab is in its source: `windows[0].tabs[3]`.
    var location = ""

    init(id: TabID, location: String = "") {
        metadata = TabMetadata(id: id, place: .between(nil, nil))
        self.location = location
    }
}

extension TabDraft {
    /// The metadata that follow from the history: address, title, count.
    mutating func adoptHistory() {
        guard let history, !history.entries.isEmpty else { return }
        metadata.navigationItemCount = Int32(clamping: history.entries.count)
        let entry = history.entries[history.currentIndex ?? history.entries.count - 1]
        if metadata.url.isEmpty { metadata.url = entry.url }
        if metadata.title.isEmpty { metadata.title = entry.title }
    }

    fileprivate var entryCount: Int {
        if let history { return history.entries.count }
        return states[.navigation].flatMap { try? NavigationHistory(encoded: $0) }?.entries.count
            ?? 0
    }

    func snapshot() -> TabSnapshot {
        var states = states
        if let history, !history.entries.isEmpty { states[.navigation] = history.encoded() }
        if let native { states[.native] = native }
        return TabSnapshot(metadata: metadata, states: states)
    }
}

extension SessionDraft {
    func snapshot() -> SessionSnapshot {
        var snapshot = SessionSnapshot(
            id: id, attributes: attributes, tabs: tabs.map { $0.snapshot() })
        snapshot.renumberPlaces()
        return snapshot
    }

    /// What this session adds to the counts of its source.
    var counts: ImportCounts {
        var counts = ImportCounts()
        let entries = tabs.reduce(0) { $0 + $1.entryCount }
        counts.nativeStates = tabs.count { $0.native != nil || $0.states[.native] != nil }
        if isClosed {
            counts.closedWindows = attributes.closedAt != nil ? 1 : 0
            counts.closedTabs = tabs.count
            counts.closedEntries = entries
        } else {
            counts.tabs = tabs.count
            counts.entries = entries
            counts.groups = attributes.groups.count
            for tab in tabs {
                counts.subframeEntries += tab.history?.entries.reduce(0) { $0 + $1.frameCount } ?? 0
            }
        }
        return counts
    }
}

extension NavigationEntry {
    /// The entries of frames inside the page, at any depth.
    fileprivate var frameCount: Int { subframes.reduce(subframes.count) { $0 + $1.frameCount } }
}

extension SessionKind {
    /// The kind of the same place off the record.
    var offTheRecord: SessionKind {
        if side == .incognito { return self }
        if self == .regular { return .incognito }
        return SessionKind(rawValue: "incognito-" + rawValue) ?? .incognito
    }

    /// The kind of the same place on the record.
    package var onTheRecord: SessionKind {
        guard side == .incognito else { return self }
        return SessionKind(rawValue: String(rawValue.dropFirst("incognito-".count))) ?? .regular
    }
}

extension Timestamp {
    /// From microseconds since 1601-01-01 UTC, as Chromium counts; 0 stands for unknown.
    init(windowsMicroseconds value: Int64) {
        let (unix, overflow) = value.subtractingReportingOverflow(11_644_473_600_000_000)
        self = value == 0 || overflow ? .unknown : Timestamp(microseconds: unix)
    }

    /// From seconds since a moment given in seconds since 1970; unknown if it is out of range.
    init(seconds: Double, since epoch: Double) {
        let microseconds = ((seconds + epoch) * 1_000_000).rounded()
        self = Int64(exactly: microseconds).map { Timestamp(microseconds: $0) } ?? .unknown
    }

    /// From milliseconds since 1970; unknown if it is out of range.
    init(milliseconds: Double) { self.init(seconds: milliseconds / 1000, since: 0) }
}
