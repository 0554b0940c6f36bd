import BrowserSessions

/// A session of a source while it is matched with the notes.
struct SourceWindow {
    let session: SessionSnapshot
    /// The index of the source; `nil` for a session that belongs to none.
    let index: Int?
    let origin: ImportOrigin
    /// Whether the source lacks something, so that nothing is taken for changed or removed in it.
    let isIncomplete: Bool
    let prints: [TabPrint]

    init(_ session: SessionSnapshot, index: Int?, origin: ImportOrigin, isIncomplete: Bool) {
        (self.session, self.index, self.origin) = (session, index, origin)
        self.isIncomplete = isIncomplete
        prints = session.tabs.map { TabPrint($0) }
    }

    var isOpen: Bool {
        session.attributes.closedAt == nil && session.id.kind.role != .shelf
    }
}

/// The match between sources and the notes about their windows and tabs, all in one partition.
///
/// Lasting IDs decide first. An unchanged file also has the same IDs. Without them, a source is
/// related to what was imported from the same profile or file; see ``ImportRelations``. Related windows
/// match if they have the most tabs in common. Tabs of two matching windows match if they have the same history,
/// then the same address, then if one continues the other. Equal tabs match in order. A tab in
/// another window matches by its history if it is the only one.
struct ImportMatcher {
    /// A noted tab: its window, and its index there.
    struct Place: Hashable {
        var window: Int
        var tab: Int
    }

    let sources: [SourceWindow]
    let noted: [NotedWindow]
    /// The noted window of each source.
    private(set) var windows: [Int?]
    /// The noted tab of each tab of each source.
    private(set) var tabs: [[Place?]]
    private(set) var relations: ImportRelations
    private var isWindowTaken: [Bool]
    private var isTabTaken: [[Bool]]

    init(_ sources: [SourceWindow], _ noted: [NotedWindow]) {
        self.sources = sources
        self.noted = noted
        windows = sources.map { _ in nil }
        tabs = sources.map { $0.prints.map { _ in nil } }
        isWindowTaken = noted.map { _ in false }
        isTabTaken = noted.map { $0.tabs.map { _ in false } }
        relations = ImportRelations(sources, noted)
        guard !noted.isEmpty else { return }
        matchIdentifiers()
        matchEqualWindows()
        matchSimilarWindows()
        for (source, window) in windows.enumerated() {
            if let window { matchTabs(source, window) }
        }
        matchStrays()
    }

    /// The noted tabs of related imports that match no tab of a source, with a related source.
    var missing: [(source: Int, place: Place)] {
        var first: [ImportOrigin: Int] = [:]
        for (index, source) in sources.enumerated() {
            for origin in relations.origins(of: source.origin) where first[origin] == nil {
                first[origin] = index
            }
        }
        return noted.indices.flatMap { window -> [(source: Int, place: Place)] in
            guard let source = first[noted[window].origin] else { return [] }
            return noted[window].tabs.indices.filter { !isTabTaken[window][$0] }
                .map { (source, Place(window: window, tab: $0)) }
        }
    }

    /// The places of the earlier imports that the windows and tabs of a source match.
    func places(of source: Int) -> Set<String> {
        let matched = [windows[source]] + tabs[source].map { $0?.window }
        return Set(matched.compactMap { $0.map { noted[$0].origin.place } })
    }

    // MARK: Identifiers

    private mutating func matchIdentifiers() {
        var windowOf: [SessionID: Int] = [:]
        var placeOf: [TabID: Place] = [:]
        for (number, window) in noted.enumerated() {
            windowOf[window.source] = number
            for (index, tab) in window.tabs.enumerated() {
                placeOf[tab.source] = Place(window: number, tab: index)
            }
        }
        for (number, source) in sources.enumerated() {
            if let window = windowOf[source.session.id], !isWindowTaken[window] {
                pair(number, window)
            }
            for (index, tab) in source.session.tabs.enumerated() {
                if let place = placeOf[tab.metadata.id] { pair(number, index, place) }
            }
        }
    }

    private mutating func pair(_ source: Int, _ window: Int) {
        windows[source] = window
        isWindowTaken[window] = true
        relations.insert(sources[source].origin, noted[window].origin)
    }

    private mutating func pair(_ source: Int, _ tab: Int, _ place: Place) {
        guard tabs[source][tab] == nil, !isTabTaken[place.window][place.tab] else { return }
        tabs[source][tab] = place
        isTabTaken[place.window][place.tab] = true
        relations.insert(sources[source].origin, noted[place.window].origin)
    }

    // MARK: Windows

    private struct Content: Hashable {
        var origin: ImportOrigin
        var kind: SessionKind
        var prints: [TabPrint]
    }

    private mutating func matchEqualWindows() {
        var equal: [Content: [Int]] = [:]
        for (number, window) in noted.enumerated().reversed() where !isWindowTaken[number] {
            let content = Content(
                origin: window.origin, kind: window.ours.kind, prints: window.tabs.map(\.print))
            equal[content, default: []].append(number)
        }
        for (number, source) in sources.enumerated() where windows[number] == nil {
            for origin in relations.origins(of: source.origin) {
                let content = Content(
                    origin: origin, kind: source.session.id.kind, prints: source.prints)
                guard let window = equal[content]?.popLast() else { continue }
                pair(number, window)
                break
            }
        }
    }

    private mutating func matchSimilarWindows() {
        var candidates = WindowCandidates(noted, without: isWindowTaken)
        var pairs: [(score: Int, source: Int, window: Int)] = []
        for (number, source) in sources.enumerated() where windows[number] == nil {
            var scores = candidates.scores(of: source, relations)
            for case let place? in tabs[number] where !isWindowTaken[place.window] {
                if noted[place.window].ours.kind == source.session.id.kind {
                    scores[place.window, default: 0] += 4
                }
            }
            pairs += scores.map { ($0.value, number, $0.key) }
        }
        pairs.sort { ($1.score, $0.source, $0.window) < ($0.score, $1.source, $1.window) }
        for pair in pairs where windows[pair.source] == nil && !isWindowTaken[pair.window] {
            self.pair(pair.source, pair.window)
        }
        for (number, source) in sources.enumerated() where windows[number] == nil {
            let window = candidates.next(for: source, relations) { isWindowTaken[$0] }
            if let window { pair(number, window) }
        }
    }

    // MARK: Tabs

    private mutating func matchTabs(_ source: Int, _ window: Int) {
        let there = noted[window].tabs
        func remaining() -> [Int] { there.indices.filter { !isTabTaken[window][$0] } }
        func open() -> [Int] { tabs[source].indices.filter { tabs[source][$0] == nil } }
        for key in [\TabPrint.history, \TabPrint.address] {
            var queues = Dictionary(grouping: remaining().reversed()) {
                there[$0].print[keyPath: key]
            }
            for tab in open() {
                guard let index = queues[sources[source].prints[tab][keyPath: key]]?.popLast()
                else { continue }
                pair(source, tab, Place(window: window, tab: index))
            }
        }
        var earlier = Dictionary(grouping: remaining().reversed()) { there[$0].print.history }
        guard !earlier.isEmpty else { return }
        for tab in open() {
            for print in TabPrint.earlier(sources[source].session.tabs[tab]) {
                guard let index = earlier[print]?.popLast() else { continue }
                pair(source, tab, Place(window: window, tab: index))
                break
            }
        }
    }

    /// Matches tabs that are in another window than when they were noted.
    private mutating func matchStrays() {
        var places: [UInt64: [Place]] = [:]
        for (window, there) in noted.enumerated() {
            for (tab, noted) in there.tabs.enumerated() where !isTabTaken[window][tab] {
                places[noted.print.history, default: []].append(Place(window: window, tab: tab))
            }
        }
        guard !places.isEmpty else { return }
        var open: [UInt64: [(source: Int, tab: Int)]] = [:]
        for (number, source) in sources.enumerated() {
            for (tab, print) in source.prints.enumerated() where tabs[number][tab] == nil {
                open[print.history, default: []].append((number, tab))
            }
        }
        for (print, found) in open where found.count == 1 {
            guard let place = places[print], place.count == 1 else { continue }
            let origin = sources[found[0].source].origin
            guard relations.holds(origin, noted[place[0].window].origin) else { continue }
            pair(found[0].source, found[0].tab, place[0])
        }
    }

    /// Matches what an incomplete source has left of tabs: of the addresses that a tab has in the store,
    /// some in their order, or none.
    mutating func matchRemnants(_ contents: StoreContents) async throws(StorageError) {
        guard sources.contains(where: \.isIncomplete) else { return }
        var places: [TabID: Place] = [:]
        for (_, place) in missing {
            places[noted[place.window].tabs[place.tab].ours] = place
        }
        var whole: [String: [(place: Place, addresses: [String])]] = [:]
        try await contents.forEach(Set(places.keys), in: sources[0].session.id.partition) {
            guard let place = places[$0.metadata.id] else { return }
            for address in Set($0.addresses + [""]) {
                whole[address, default: []].append((place, $0.addresses))
            }
        }
        for (number, source) in sources.enumerated() where source.isIncomplete {
            for (tab, snapshot) in source.session.tabs.enumerated() where tabs[number][tab] == nil {
                let remnant = snapshot.addresses.filter { !$0.isEmpty }
                let fitting = (whole[remnant.first ?? ""] ?? []).filter { place, addresses in
                    !isTabTaken[place.window][place.tab]
                        && relations.holds(source.origin, noted[place.window].origin)
                        && addresses.difference(from: remnant).removals.isEmpty
                }
                let ofWindow = fitting.first { $0.place.window == windows[number] }
                if let found = ofWindow ?? fitting.first { pair(number, tab, found.place) }
            }
        }
    }
}
