public import BrowserSessions

extension SessionStorage {
    /// Looks for tabs by words: in open, inactive, closed and set-aside tabs, and in all restore points.
    ///
    /// Each tab is found once: where it is now, or else where it was seen last. What is open comes first,
    /// then what is closed, then what is gone, the most recently used tabs first. `[]` if nothing has all the
    /// words, or there are no words. Private tabs are never found.
    ///
    /// Throws `StorageError.Code.corrupted` if there are restore points and none can be read.
    ///
    /// - Parameters:
    ///   - words: what a person types; see ``TabSearch``.
    ///   - includingEarlier: whether to look in restore points, too.
    public func find(_ words: String, includingEarlier: Bool = true)
        async throws(StorageError) -> [FoundTab]
    {
        let search = TabSearch(words)
        guard !search.isEmpty else {
            // A closed store throws here.
            _ = try await sessions()
            return []
        }
        var found: [FoundTab] = []
        for session in try await presentSessions() {
            let place = FoundTab.Place(session)
            for tab in session.tabs where search.finds(tab) {
                found.append(
                    FoundTab(
                        tab: tab, session: session.id, sessionTitle: session.attributes.title,
                        place: place))
            }
        }
        if includingEarlier { found += try await earlierTabs(search) }
        return found.sorted { $0.precedes($1) }
    }

    private func earlierTabs(_ search: TabSearch) async throws(StorageError) -> [FoundTab] {
        let points = try await restorePoints()
        guard !points.isEmpty else { return [] }
        let numbers = Dictionary(
            points.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try await earlierTabs().compactMap { earlier in
            guard search.finds(earlier.tab), let number = numbers[earlier.point] else { return nil }
            let point = points[number]
            let cause: FoundTab.Cause =
                switch earlier.session.kind.role {
                case .shelf: .closed
                case _ where point.reason == .beforeLoss: .loss
                default: .unknown
                }
            // Points are listed newest first.
            return FoundTab(
                tab: earlier.tab, session: earlier.session, sessionTitle: earlier.sessionTitle,
                place: .gone,
                lastSeen: .init(
                    point: point, goneBy: number > 0 ? points[number - 1] : nil, cause: cause))
        }
    }
}

extension FoundTab {
    /// The order of hits: by place, then the newest point, then the latest use.
    fileprivate func precedes(_ other: FoundTab) -> Bool {
        if place != other.place { return place < other.place }
        let (point, otherPoint) = (lastSeen?.point.id, other.lastSeen?.point.id)
        if let point, let otherPoint, point != otherPoint { return point > otherPoint }
        if tab.lastActiveAt != other.tab.lastActiveAt {
            return tab.lastActiveAt > other.tab.lastActiveAt
        }
        return tab.id < other.tab.id
    }
}
