import BrowserSessions

extension Partition {
    /// Returns the tabs that only restore points have, each as at the newest one that has it: newest points
    /// first, and by session and tab within one. Reads the keys of all versions of tabs once, and the
    /// values of what it returns.
    func earlierTabs() throws -> [EarlierTab] {
        guard !index.points.isEmpty else { return [] }
        var search = EarlierTabSearch(index)
        try suspecting {
            try store.scanKeys(.state, prefix: StateKey.versions(of: [RecordKey.Tag.tab])) {
                search.add($0)
            }
        }
        search.endRecord()
        let places = search.found.sorted {
            $0.value.point != $1.value.point
                ? $0.value.point > $1.value.point
                : ($0.value.session, $0.key) < ($1.value.session, $1.key)
        }
        let read = try tabs(search.found)
        var titles: [StoredNumber: [SessionID: String]] = [:]
        var tabs: [EarlierTab] = []
        for (id, place) in places {
            guard let tab = read[id] else { continue }
            let known = titles[place.point]?[place.session]
            let title = try known ?? title(of: place.session, at: place.point)
            titles[place.point, default: [:]][place.session] = title
            let point = RestorePointID(rawValue: place.point.value)
            tabs.append(EarlierTab(tab, in: place.session, titled: title, at: point))
        }
        guard tabs.isEmpty, try !places.isEmpty || search.isEmpty && lacksPoints() else {
            return tabs
        }
        throw StorageError(
            .corrupted, "no tab that only restore points have can be read; see 'check'")
    }

    /// Whether some records of restore points are missing.
    private func lacksPoints() throws -> Bool { try !index.points.allSatisfy(isWhole) }

    /// Returns the tabs that can be read: few one by one, and many by one scan.
    private func tabs(_ places: [TabID: EarlierTabSearch.Place]) throws -> [TabID: TabMetadata] {
        var tabs: [TabID: TabMetadata] = [:]
        tabs.reserveCapacity(places.count)
        try suspecting {
            if places.count < Self.mostReadOneByOne {
                for (id, place) in places {
                    let record = RecordKey.record(.tab(id), in: place.session)
                    let key = StateKey.version(record, point: place.version).bytes
                    guard let value = try store.value(of: key, in: .state) else { continue }
                    tabs[id] = value.withUnsafeBytes { value in
                        key.withUnsafeBytes { Self.tab(id, $0, value) }
                    }
                }
                return
            }
            try store.scan(.state, prefix: StateKey.versions(of: [RecordKey.Tag.tab])) {
                key, value in
                guard
                    case .version(.record(.tab(let id), let session), let point, false)? = StateKey(
                        key),
                    let place = places[id], place.version == point, place.session == session
                else { return }
                tabs[id] = Self.tab(id, key, value)
            }
        }
        return tabs
    }

    private static let mostReadOneByOne = 256

    /// Returns a tab from its version; `nil` if it cannot be read.
    private static func tab(
        _ id: TabID, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) -> TabMetadata? {
        guard let frame = try? RecordFrame(value, key: StateKey.frameKey(key)) else { return nil }
        return try? TabMetadata(id: id, payload: frame.payload)
    }

    /// Returns the title that a session had; empty if it had none, or it cannot be read.
    private func title(of session: SessionID, at point: StoredNumber) throws -> String {
        guard let point = index.points.first(where: { $0.number == point }),
            let value = try version(of: .session(session), at: point)
        else { return "" }
        var restored = RestoredSession(id: session, attributes: SessionAttributes(), tabs: [])
        restored.use(attributes: value)
        return restored.attributes.title
    }
}

/// Finds the newest restore point of each tab that is gone, from the keys of versions in order.
private struct EarlierTabSearch {
    struct Place {
        var session: SessionID
        /// The newest point that has the tab.
        var point: StoredNumber
        /// The point that has the version which is read there.
        var version: StoredNumber
    }

    private(set) var found: [TabID: Place] = [:]
    private let index: PartitionIndex
    private let points: [StoredNumber]
    private var record: (session: SessionID, tab: TabID)?
    /// Whether there was no version of any tab.
    private(set) var isEmpty = true
    private var versions: [(point: StoredNumber, isGone: Bool)] = []

    init(_ index: PartitionIndex) {
        self.index = index
        points = index.points.map(\.number)
    }

    mutating func add(_ key: UnsafeRawBufferPointer) {
        guard
            case .version(.record(.tab(let tab), let session), let point, let isGone)? = StateKey(
                key)
        else { return }
        isEmpty = false
        if record.map({ $0.tab != tab || $0.session != session }) ?? true {
            endRecord()
            record = (session, tab)
        }
        versions.append((point, isGone))
    }

    /// Notes where the record was last there.
    mutating func endRecord() {
        defer { versions.removeAll(keepingCapacity: true) }
        guard let (session, tab) = record, index.tabs[tab] == nil else { return }
        var end: StoredNumber?
        for version in versions.reversed() {
            let next = end
            end = version.point
            guard !version.isGone,
                let point = points.last(where: { point in
                    point >= version.point && next.map { point < $0 } ?? true
                })
            else { continue }
            if let known = found[tab], known.point >= point { return }
            found[tab] = Place(session: session, point: point, version: version.point)
            return
        }
    }
}
