import BrowserSessions

/// One history entry of a log, with its tab and index.
struct SNSSNavigation {
    var tab: Int32
    var index: Int32
    var entry: NavigationEntry

    /// Creates the entry; `nil` if the payload ends before the page state. Everything after it was
    /// added over the years and may be missing.
    init?(_ payload: ArraySlice<UInt8>) {
        guard var pickle = PickleReader(payload), let tab = pickle.int(), let index = pickle.int(),
            let url = pickle.string(), let title = pickle.string16(), let state = pickle.bytes()
        else { return nil }
        self.tab = tab
        self.index = index
        entry = NavigationEntry(url: url, title: title, pageState: state)
        readRest(&pickle)
    }

    private mutating func readRest(_ pickle: inout PickleReader) {
        guard let transition = pickle.int() else { return }
        set("transition", UInt32(bitPattern: transition) == 0 ? nil : String(transition))
        guard let mask = pickle.int() else { return }
        set("has-post-data", mask & 1 == 1 ? "true" : nil)
        entry.referrer = pickle.string() ?? ""
        guard let policy = pickle.int() else { return }
        entry.referrerPolicy = policy
        guard let original = pickle.string() else { return }
        set("original-request-url", original.isEmpty || original == entry.url ? nil : original)
        if pickle.bool() == true { entry.userAgent = .desktop }
        guard let time = pickle.int64() else { return }
        entry.time = Timestamp(windowsMicroseconds: time)
        _ = pickle.string16()
        guard let status = pickle.int() else { return }
        set("http-status", status == 0 ? nil : String(status))
        if let policy = pickle.int() { entry.referrerPolicy = policy }
    }

    private mutating func set(_ key: String, _ value: String?) {
        entry.properties["chromium." + key] = value
    }
}

/// The history entries of one tab, by index. Indexes may begin above 0.
struct SNSSHistory {
    private(set) var entries: [Int: NavigationEntry] = [:]
    var currentIndex = -1

    var isEmpty: Bool { entries.isEmpty }

    mutating func put(_ navigation: SNSSNavigation) {
        entries[Int(navigation.index)] = navigation.entry
    }

    /// Removes the entries from an index on.
    mutating func removeAll(from index: Int) { entries = entries.filter { $0.key < index } }

    /// Removes `count` entries from `index` on. Later entries move up.
    mutating func remove(from index: Int, count: Int) {
        let end = index + count
        if (index..<end).contains(currentIndex) {
            currentIndex = index - 1
        } else if currentIndex >= end {
            currentIndex -= count
        }
        var kept: [Int: NavigationEntry] = [:]
        for (key, entry) in entries where !(index..<end).contains(key) {
            kept[key >= end ? key - count : key] = entry
        }
        entries = kept
    }

    /// Returns the entries in order. The current one has the selected index or the next one.
    func history() -> NavigationHistory {
        let indexes = entries.keys.sorted()
        var history = NavigationHistory(entries: indexes.compactMap { entries[$0] })
        guard !indexes.isEmpty else { return history }
        history.currentIndex = indexes.firstIndex { $0 >= currentIndex } ?? indexes.count - 1
        return history
    }
}
