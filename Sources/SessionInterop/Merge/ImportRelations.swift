import BrowserSessions

/// The relations between sources and the earlier imports that they are later versions of.
struct ImportRelations {
    private var related: [ImportOrigin: Set<ImportOrigin>] = [:]
    /// The noted histories of each origin.
    private var histories: [ImportOrigin: Set<UInt64>] = [:]

    /// Relates a source to the import of the same profile or file, and to an import of the same
    /// format that has at least half of the distinct histories of the larger one.
    init(_ sources: [SourceWindow], _ noted: [NotedWindow]) {
        var origins: [UInt64: Set<ImportOrigin>] = [:]
        for window in noted {
            for tab in window.tabs {
                histories[window.origin, default: []].insert(tab.print.history)
                origins[tab.print.history, default: []].insert(window.origin)
            }
            _ = histories[window.origin, default: []]
        }
        let bySource = Dictionary(grouping: sources, by: \.origin)
        for (origin, windows) in bySource {
            if histories[origin] != nil { insert(origin, origin) }
            let own = Set(windows.flatMap { $0.prints.map(\.history) })
            var common: [ImportOrigin: Int] = [:]
            for history in own {
                for other in origins[history] ?? [] where other.format == origin.format {
                    common[other, default: 0] += 1
                }
            }
            for (other, count) in common {
                let size = max(own.count, histories[other]?.count ?? 0)
                if 2 * count >= size { insert(origin, other) }
            }
        }
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
            (one == source ? 0 : 1, one.place) < (other == source ? 0 : 1, other.place)
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
