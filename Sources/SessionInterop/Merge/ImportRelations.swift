import BrowserSessions

/// The relations between sources and the earlier imports that they are later versions of.
struct ImportRelations {
    private var related: [ImportOrigin: Set<ImportOrigin>] = [:]
    /// The noted histories of each origin.
    private var histories: [ImportOrigin: Set<UInt64>] = [:]
    /// The noted contents of tabs without a group, by origin and history.
    private var contents: [ImportOrigin: [UInt64: Set<UInt64>]] = [:]

    /// Relates a source to the import of the same profile or file. If only the content can tell, see
    /// ``isVersion``.
    init(_ sources: [SourceWindow], _ noted: [NotedWindow]) {
        var origins: [UInt64: Set<ImportOrigin>] = [:]
        for window in noted {
            histories[window.origin, default: []].formUnion(window.tabs.map(\.print.history))
            for tab in window.tabs {
                origins[tab.print.history, default: []].insert(window.origin)
                guard tab.group == nil else { continue }
                contents[window.origin, default: [:]][tab.print.history, default: []]
                    .insert(tab.content)
            }
        }
        let places = Dictionary(grouping: histories.keys, by: \.place)
        for (origin, windows) in Dictionary(grouping: sources, by: \.origin) {
            let own = Set(windows.flatMap { $0.prints.map(\.history) })
            var shared: [ImportOrigin: Set<UInt64>] = [:]
            for other in places[origin.place] ?? [] { shared[other] = [] }
            for history in own {
                for other in origins[history] ?? [] { shared[other, default: []].insert(history) }
            }
            for (other, shared) in shared
            where origin.isOne(with: other) ?? isVersion(windows, own.count, of: other, shared) {
                insert(origin, other)
            }
        }
    }

    /// Returns whether a source is a later version of what was imported from elsewhere, by its content.
    ///
    /// It has at least half of the distinct histories of the larger one, or two thirds if the other one is
    /// still there. Moreover, a tab is as it was: what an unchanged tab has besides its addresses, such as
    /// times and marks of the browser, differs between profiles. The identifiers of groups differ
    /// between files, so tabs of groups do not count. An incomplete source only adds, so half of it is
    /// enough.
    private func isVersion(
        _ windows: [SourceWindow], _ count: Int, of other: ImportOrigin, _ shared: Set<UInt64>
    ) -> Bool {
        if windows[0].isIncomplete { return 2 * shared.count >= count }
        let size = max(count, histories[other]?.count ?? 0)
        guard other.kind == nil ? 2 * shared.count >= size : 3 * shared.count >= 2 * size else {
            return false
        }
        let contents = contents[other] ?? [:]
        let alike = windows.flatMap { zip($0.session.tabs, $0.prints) }.filter {
            $0.metadata.group == nil && contents[$1.history] != nil
        }
        return alike.isEmpty
            || alike.contains { contents[$1.history]?.contains($0.contentPrint) == true }
    }

    mutating func insert(_ source: ImportOrigin, _ noted: ImportOrigin) {
        related[source, default: []].insert(noted)
    }

    func holds(_ source: ImportOrigin, _ noted: ImportOrigin) -> Bool {
        related[source]?.contains(noted) == true
    }

    /// Returns the origins that a source is a version of, its own first.
    func origins(of source: ImportOrigin) -> [ImportOrigin] {
        (related[source] ?? []).sorted { one, other in
            (one.place == source.place ? 0 : 1, one.place)
                < (other.place == source.place ? 0 : 1, other.place)
        }
    }

    /// Returns whether a tab with that history was imported with a version of the source.
    func holds(_ source: ImportOrigin, history: UInt64) -> Bool {
        related[source]?.contains { histories[$0]?.contains(history) == true } == true
    }
}

/// The noted windows that may match a window of a source, found by their common tabs.
struct WindowCandidates {
    private let noted: [NotedWindow]
    private var byHistory: [UInt64: [Int]] = [:]
    private var byAddress: [UInt64: [Int]] = [:]

    /// The number of windows above which a common feature is used only if nothing else helps.
    private static let commonness = 64

    init(_ noted: [NotedWindow], without isTaken: [Bool]) {
        self.noted = noted
        for (number, window) in noted.enumerated().reversed() where !isTaken[number] {
            for print in Set(window.tabs.map(\.print)) {
                byHistory[print.history, default: []].append(number)
                byAddress[print.address, default: []].append(number)
            }
        }
    }

    /// Returns the number of features that each noted window has in common with the source.
    func scores(of source: SourceWindow, _ relations: ImportRelations) -> [Int: Int] {
        var scores: [Int: Int] = [:]
        for print in Set(source.prints) {
            for found in [byHistory[print.history], byAddress[print.address]] {
                guard let found, found.count <= Self.commonness else { continue }
                for window in found where isCandidate(window, source, relations) {
                    scores[window, default: 0] += 1
                }
            }
        }
        return scores
    }

    /// Returns the first remaining window that has anything in common with the source.
    mutating func next(
        for source: SourceWindow, _ relations: ImportRelations, isTaken: (Int) -> Bool
    ) -> Int? {
        for print in source.prints {
            while let last = byAddress[print.address]?.last, isTaken(last) {
                byAddress[print.address]?.removeLast()
            }
            if let last = byAddress[print.address]?.last, isCandidate(last, source, relations) {
                return last
            }
        }
        return nil
    }

    private func isCandidate(_ window: Int, _ source: SourceWindow, _ relations: ImportRelations)
        -> Bool
    {
        noted[window].ours.kind == source.session.id.kind
            && relations.holds(source.origin, noted[window].origin)
    }
}
