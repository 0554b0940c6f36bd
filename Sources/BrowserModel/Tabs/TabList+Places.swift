import BrowserSessions

/// The order keys by which a store orders the tabs. See ``OrderKey``.
extension TabList {
    /// The maximum length of a key; beyond it, all tabs get new keys. A store accepts 128 bytes.
    static let longestPlace = 48

    /// Gives the tab an order key between those of its neighbors, unless it already has one.
    /// Returns `false` if no suitable key was left and all tabs got new ones.
    func keepPlace(ofTabAt index: Int) -> Bool {
        let before = index > 0 ? tabs[index - 1].metadata.place : nil
        let after = index + 1 < count ? tabs[index + 1].metadata.place : nil
        if Self.isBetween(tabs[index].metadata.place, before, after) { return true }
        return givePlaces(to: index..<index + 1)
    }

    /// Gives adjacent tabs new order keys between the tabs around them. Returns `false` if no
    /// suitable keys were left and all tabs got new ones.
    func givePlaces(to range: Range<Int>) -> Bool {
        var before = range.lowerBound > 0 ? tabs[range.lowerBound - 1].metadata.place : nil
        let after = range.upperBound < count ? tabs[range.upperBound].metadata.place : nil
        for tab in tabs[range] {
            let place = OrderKey.between(before, and: after)
            guard Self.isBetween(place, before, after), place.length <= Self.longestPlace else {
                renumber()
                return false
            }
            tab.metadata.place = place
            before = place
        }
        return true
    }

    /// Makes the order keys ascend. The keys of the tabs to keep change only where they must.
    /// Returns `false` if no suitable key was left and all tabs got new ones.
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
                let place = OrderKey.between(previous, and: following[index + 1])
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

    /// Whether all tabs can keep their order keys.
    var hasAscendingPlaces: Bool {
        var previous: OrderKey?
        return tabs.allSatisfy { tab in
            defer { previous = tab.metadata.place }
            return Self.isBetween(tab.metadata.place, previous, nil)
        }
    }

    /// Returns whether an order key is between those of the neighbors and can be saved.
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
