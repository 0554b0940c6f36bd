import BrowserSessions

/// Places: the order keys by which a store orders the tabs. See ``OrderKey``.
extension TabList {
    /// Keys longer than this are made anew for the whole list; a store takes up to 128 bytes.
    private static let longestPlace = 48

    /// Gives the tab a place between its neighbours, unless it has one; `false` if there was no room
    /// and all tabs got new places.
    func keepPlace(ofTabAt index: Int) -> Bool {
        let before = index > 0 ? tabs[index - 1].metadata.place : nil
        let after = index + 1 < count ? tabs[index + 1].metadata.place : nil
        if isBetween(tabs[index].metadata.place, before, after) { return true }
        let place = OrderKey.between(before, after)
        guard isBetween(place, before, after), place.length <= Self.longestPlace else {
            renumber()
            return false
        }
        tabs[index].metadata.place = place
        return true
    }

    private func isBetween(_ place: OrderKey, _ before: OrderKey?, _ after: OrderKey?) -> Bool {
        (before.map { $0 < place } ?? true) && (after.map { place < $0 } ?? true)
    }

    private func renumber() {
        for (tab, place) in zip(tabs, OrderKey.evenlySpaced(count: count)) {
            tab.metadata.place = place
        }
    }
}
