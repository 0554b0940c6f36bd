package import BrowserSessions

/// A session while it is read. Its histories are not encoded yet, and it may break rules.
struct SessionDraft {
    var id: SessionID
    var attributes = SessionAttributes()
    /// The groups of the tabs, and what else a copy of a store has.
    var nodes: [StructureNode] = []
    var tabs: [TabDraft] = []
    /// Whether places say the order, as in a copy of a store. Otherwise it is that of ``tabs``, and
    /// nodes are groups at the top.
    var hasPlaces = false
    /// The location of the session in its source, such as `windows[0]`.
    var location = ""
}

/// A tab while it is read.
struct TabDraft {
    var metadata: TabMetadata
    var history: NavigationHistory?
    var native: [UInt8]?
    /// The states that a source has in this form already. States that are read replace them.
    var states: [StateName: [UInt8]] = [:]
    /// The location of the tab in its source, such as `windows[0].tabs[3]`.
    var location = ""

    init(id: TabID, location: String = "") {
        metadata = TabMetadata(id: id, place: .between(nil, and: nil))
        self.location = location
    }
}

extension TabDraft {
    /// Sets the metadata that follow from the history: address, title and count.
    mutating func adoptHistory() {
        guard let history, !history.entries.isEmpty else { return }
        metadata.navigationItemCount = Int32(clamping: history.entries.count)
        let entry = history.entries[history.currentIndex ?? history.entries.count - 1]
        if metadata.url.isEmpty { metadata.url = entry.url }
        if metadata.title.isEmpty { metadata.title = entry.title }
    }

    /// Reads the engine's state from its own file, if there is one.
    mutating func loadNative(_ file: String, limit: Int, _ log: inout ProblemLog) {
        do throws(StorageError) {
            native = try SourceFile.read(file, limit: limit)
        } catch  where error.code == .notFound {
            return
        } catch {
            log.loss(
                at: "\(lastComponent(file)) of \(location)", "the engine's state cannot be taken")
        }
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
            id: id, attributes: attributes, tabs: tabs.map { $0.snapshot() }, nodes: nodes)
        if !hasPlaces { snapshot.renumberPlaces() }
        return snapshot
    }

    /// The counts that this session adds to those of its source.
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
            counts.groups = nodes.count { $0.kind == .group }
            for tab in tabs {
                counts.subframeEntries += tab.history?.entries.reduce(0) { $0 + $1.frameCount } ?? 0
            }
        }
        return counts
    }
}

extension NavigationEntry {
    /// The number of frame entries in the page, at any depth.
    fileprivate var frameCount: Int { subframes.reduce(subframes.count) { $0 + $1.frameCount } }
}

extension SessionKind {
    /// The incognito kind that corresponds to this one.
    var inIncognito: SessionKind {
        if partition == .incognito { return self }
        if self == .regular { return .incognito }
        return SessionKind(rawValue: "incognito-" + rawValue) ?? .incognito
    }

    /// The on-the-record kind that corresponds to this one.
    package var onTheRecord: SessionKind {
        guard partition == .incognito else { return self }
        return SessionKind(rawValue: String(rawValue.dropFirst("incognito-".count))) ?? .regular
    }
}

extension Timestamp {
    /// Creates a timestamp from microseconds since 1601-01-01 UTC, as in Chromium; 0 is unknown.
    init(windowsMicroseconds value: Int64) {
        let (unix, overflow) = value.subtractingReportingOverflow(11_644_473_600_000_000)
        self = value == 0 || overflow ? .unknown : Timestamp(microseconds: unix)
    }

    /// Creates a timestamp from seconds since an epoch (in seconds since 1970); unknown if out of
    /// range.
    init(seconds: Double, since epoch: Double) {
        let microseconds = ((seconds + epoch) * 1_000_000).rounded()
        self = Int64(exactly: microseconds).map { Timestamp(microseconds: $0) } ?? .unknown
    }

    /// Creates a timestamp from milliseconds since 1970; unknown if out of range.
    init(milliseconds: Double) { self.init(seconds: milliseconds / 1000, since: 0) }
}
