import BrowserSessions

/// Places: the order keys by which a store orders the tabs. See ``OrderKey``.
extension TabList {
    /// Keys longer than this are made anew for the whole list; a store takes up to 128 bytes.
    static let longestPlace = 48

    /// Gives the tab a place between its neighbours, unless it has one; `false` if there was no
    /// room and all tabs got new places.
    func keepPlace(ofTabAt index: Int) -> Bool {
        let before = index > 0 ? tabs[index - 1].metadata.place : nil
        let after = index + 1 < count ? tabs[index + 1].metadata.place : nil
        if Self.isBetween(tabs[index].metadata.place, before, after) { return true }
        return givePlaces(to: index..<index + 1)
    }

    /// Gives neighbouring tabs new places between the tabs around them; `false` if there was no
    /// room and all tabs got new places.
    func givePlaces(to range: Range<Int>) -> Bool {
        var before = range.lowerBound > 0 ? tabs[range.lowerBound - 1].metadata.place : nil
        let after = range.upperBound < count ? tabs[range.upperBound].metadata.place : nil
        for tab in tabs[range] {
            let place = OrderKey.between(before, after)
            guard Self.isBetween(place, before, after), place.length <= Self.longestPlace else {
                renumber()
                return false
            }
            tab.metadata.place = place
            before = place
        }
        return true
    }

    /// Makes the places ascend: those of the tabs that keep theirs change only where they must.
    /// `false` if there was no room and all tabs got new places.
    func fitPlaces(keeping keeps: (Tab) -> Bool) -> Bool {
        if hasAscendingPlaces { return true }
        var following = [OrderKey?](repeating: nil, count: count + 1)
        for index in tabs.indices.reversed() {
            following[index] =
                keeps(tabs[index]) ? tabs[index].metadata.place : following[index + 1]
        }
        var previous: OrderKey?
        for (index, tab) in tabs.enumerated() {
            let next = keeps(tab) ? nil : following[index + 1]
            if !Self.isBetween(tab.metadata.place, previous, next) {
                let place = OrderKey.between(previous, following[index + 1])
                guard place.length <= Self.longestPlace else {
                    renumber()
                    return false
                }
                tab.metadata.place = place
            }
            previous = tab.metadata.place
        }
        return true
    }

    /// Whether all tabs may keep their places.
    var hasAscendingPlaces: Bool {
        var previous: OrderKey?
        return tabs.allSatisfy { tab in
            defer { previous = tab.metadata.place }
            return Self.isBetween(tab.metadata.place, previous, nil)
        }
    }

    /// Whether a tab may keep a place: it is between those of its neighbours, and can be saved.
    static func isBetween(_ place: OrderKey, _ before: OrderKey?, _ after: OrderKey?) -> Bool {
        guard place.length <= OrderKey.maximumLength else { return false }
        return (before.map { $0 < place } ?? true) && (after.map { place < $0 } ?? true)
    }

    func renumber() {
        for (tab, place) in zip(tabs, OrderKey.evenlySpaced(count: count)) {
            tab.metadata.place = place
        }
    }
}
