import BrowserModel
import BrowserSessions

@testable import SessionRestoration

/// Whether what came back after a kill is what there was.
struct HostComparison {
    var now: HostPicture
    var then: HostPicture
    var partition: StoragePartition
    /// Tabs that have no window of their own any more, according to the report.
    var returned: [TabID]
    var maximumBytes: Int
    var maximumTabs: Int
    /// Whether there is more than groups, so that a tab that comes back to where it was may change more.
    var hasStructure = false

    /// `nil` if it is.
    var difference: String? {
        windowsDifference ?? statesDifference ?? detachedDifference ?? closedDifference
            ?? closedWindowsDifference
    }

    /// Windows come back if they are of the screen or have a tab.
    private var expected: [WindowPicture] {
        then.windows.filter { window in
            window.id.kind == .regular || !window.tabs.isEmpty || !homed(window.id).isEmpty
                || window.hasSpaces
        }
    }

    private func homed(_ window: SessionID) -> [DetachedTabPicture] {
        then.detachedTabs.filter { $0.origin == window }
    }

    private var detached: [DetachedTabPicture] { then.detachedTabs.filter { $0.origin == nil } }

    private var windowsDifference: String? {
        // An empty library is no more than none.
        let found = now.windows.filter {
            $0.id.kind != .library || $0.hasSpaces || !$0.tabs.isEmpty
        }
        guard expected.map(\.id) == found.map(\.id) else {
            return "windows \(found.map(\.id)), not \(expected.map(\.id))"
        }
        let guests = Set(detached.map(\.metadata.id))
        for (was, isNow) in zip(expected, found) {
            let difference =
                homed(was.id).isEmpty && guests.isDisjoint(with: isNow.tabs.map(\.id))
                ? difference(was.saved, isNow) : looseDifference(was.saved, isNow, guests)
            if let difference { return difference }
        }
        return nil
    }

    private func difference(_ was: WindowPicture, _ isNow: WindowPicture) -> String? {
        was == isNow ? nil : "window \(isNow) was \(was)"
    }

    /// Tabs that were on their way are among the others.
    private func looseDifference(
        _ was: WindowPicture, _ isNow: WindowPicture, _ guests: Set<TabID>
    ) -> String? {
        let here = homed(was.id).map(\.metadata.id)
        let tabs = isNow.tabs.filter { !guests.contains($0.id) && !here.contains($0.id) }
        // The tabs of a group are neighbours: one that comes back to its group may draw others along.
        let drawn = Set(homed(was.id).compactMap(\.metadata.group))
        let isDrawn = was.tabs.contains { $0.group.map(drawn.contains) ?? false }
        func ordered(_ tabs: [TabMetadata]) -> [TabMetadata] {
            (isDrawn ? tabs.sorted { $0.id < $1.id } : tabs).map(\.placeless)
        }
        if hasStructure {
            let (tabs, former) = (Set(tabs.map(\.loose)), Set(was.tabs.map(\.loose)))
            return tabs == former ? nil : "window \(was.id) has \(tabs), not \(former)"
        }
        guard ordered(tabs) == ordered(was.tabs) else {
            return "window \(was.id) has \(tabs), not \(was.tabs), beside \(here)"
        }
        // The group of a tab on its way comes back with it, though without its name.
        let known = Set(was.nodes.map(\.id))
        let back = Set(homed(was.id).compactMap(\.metadata.group)).subtracting(known)
        let groups = isNow.nodes.filter { !back.contains($0.id) }
        guard isNow.attributes == was.attributes, groups == was.nodes else {
            return """
                window \(was.id) is \(isNow.attributes) with \(groups), not \(was.attributes) with \
                \(was.nodes)
                """
        }
        for key in homed(was.id) {
            guard let tab = isNow.tabs.first(where: { $0.id == key.metadata.id }) else {
                return "\(key.metadata.title) is not where it was, \(was.id)"
            }
            if let difference = difference(key, tab) { return difference }
        }
        return nil
    }

    private func difference(_ key: DetachedTabPicture, _ tab: TabMetadata) -> String? {
        let was = key.metadata.saved
        guard was.url == tab.url, was.title == tab.title, was.properties == tab.properties,
            was.isPinned == tab.isPinned
        else { return "\(tab) was \(was) on its way" }
        return nil
    }

    /// The difference in tabs without a window; `nil` for none.
    private var detachedDifference: String? {
        let home = now.windows.first { $0.id.kind == .regular || partition == .incognito }
        for key in detached {
            let id = key.metadata.id
            if let home {
                guard let tab = home.tabs.first(where: { $0.id == id }), returned.contains(id)
                else { return "\(key.metadata.title) did not come to the first window" }
                if let difference = difference(key, tab) { return difference }
            } else if partition == .regular, !returned.contains(id) {
                return "\(key.metadata.title) is nowhere"
            }
        }
        return nil
    }

    private var closedDifference: String? {
        guard partition == .regular else { return nil }
        var closed = then.closed.map(\.id)
        let joined = now.windows.contains { $0.id.kind == .regular } ? [] : detached
        guard joined.count <= maximumTabs else { return nil }
        closed = Array(closed.dropFirst(max(0, closed.count + joined.count - maximumTabs)))
        if joined.isEmpty { closed = then.closed.map(\.id) }
        guard now.closed.prefix(closed.count).map(\.id) == closed,
            Set(now.closed.dropFirst(closed.count).map(\.id)) == Set(joined.map(\.metadata.id))
        else {
            return """
                recently closed are \(now.closed), not \(then.closed) and \
                \(joined.map(\.metadata.title))
                """
        }
        let pages = then.closed.suffix(closed.count)
        return zip(pages, now.closed).contains { $0 != $1 }
            ? "recently closed are \(now.closed), not \(then.closed)" : nil
    }

    private var closedWindowsDifference: String? {
        guard partition == .regular else { return nil }
        for (id, was) in then.closedWindows where id.kind == .regular || !was.tabs.isEmpty {
            guard let isNow = now.closedWindows[id] else {
                return "the closed window \(id) is gone"
            }
            if let difference = difference(was.saved, isNow) { return "closed: \(difference)" }
        }
        return nil
    }

    private var statesDifference: String? {
        for tab in now.windows.flatMap(\.tabs) {
            guard let found = now.states[tab.id], let was = then.states[tab.id] else {
                return "nothing is known of \(tab.title)"
            }
            guard found == was.saved(maximumBytes) else {
                return "\(tab.title) goes on from \(found), not \(was)"
            }
        }
        for tab in now.closed {
            guard let found = now.states[tab.id], let was = then.states[tab.id] else { continue }
            guard found == was.saved(maximumBytes) else {
                return "the closed \(tab.title) goes on from \(found), not \(was)"
            }
        }
        return nil
    }
}
