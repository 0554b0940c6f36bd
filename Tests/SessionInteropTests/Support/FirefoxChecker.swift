/// Looks at a session of Firefox as Firefox does when it restores it. It shares nothing with the writer.
struct FirefoxChecker {
    var faults: [String] = []
    private var closedIDs: Set<Int> = []
    private var groups: Set<String> = []

    mutating func check(_ root: [String: Any]) {
        let windows = root["windows"] as? [[String: Any]] ?? []
        let selected = root["selectedWindow"] as? Int ?? -1
        if !(1...max(windows.count, 1)).contains(selected) { faults.append("selectedWindow") }
        for window in windows { check(window: window, isOpen: true) }
        for window in root["_closedWindows"] as? [[String: Any]] ?? [] {
            check(window: window, isOpen: false)
            check(closed: window)
        }
        check(groups: root["savedGroups"])
    }

    private mutating func check(window: [String: Any], isOpen: Bool) {
        let tabs = window["tabs"] as? [[String: Any]] ?? []
        if tabs.isEmpty { faults.append("no tabs") }
        let selected = window["selected"] as? Int ?? 0
        if !tabs.indices.contains(selected - 1) { faults.append("selected") }
        let mine = (window["groups"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        for group in mine where isOpen && !groups.insert(group).inserted { faults.append("group") }
        let named = tabs.map { $0["groupId"] as? String }
        if Set(named.compactMap(\.self)) != Set(mine) { faults.append("groups") }
        for group in mine { isOnePiece(named.map { $0 == group }, "group in pieces") }
        check(views: window["splitViews"] as? [[String: Any]] ?? [], of: tabs)
        let popup = ["isPopup", "isTaskbarTab", "hidden"].contains { window[$0] as? Bool == true }
        if popup, tabs.count > 1 { faults.append("popup") }
        for name in ["_lastClosedTabGroupCount", "lastClosedTabGroupId", "unknown"]
        where window[name] != nil { faults.append(name) }
        if isOpen, window["closedAt"] != nil || window["closedId"] != nil {
            faults.append("closed")
        }
        let pins = tabs.map { $0["pinned"] as? Bool == true }
        let ordered = pins.filter(\.self) + pins.filter { !$0 }
        if pins != ordered { faults.append("pins") }
        for (index, tab) in tabs.enumerated() { check(tab: tab, isSelected: index == selected - 1) }
        checkClosed(in: window, tabs: tabs.count)
    }

    private mutating func checkClosed(in window: [String: Any], tabs count: Int) {
        for tab in window["_closedTabs"] as? [[String: Any]] ?? [] {
            check(closed: tab)
            if (tab["pos"] as? Int).map({ !(0...count).contains($0) }) ?? true {
                faults.append("pos")
            }
            check(tab: tab["state"] as? [String: Any] ?? [:], isSelected: true)
        }
        check(groups: window["closedGroups"])
    }

    private mutating func check(views: [[String: Any]], of tabs: [[String: Any]]) {
        let numbers = tabs.map { $0["splitViewId"] as? Int }
        for view in views {
            let id = view["id"] as? Int
            let count = numbers.count { $0 == id }
            if count != view["numberOfTabs"] as? Int || count < 2 { faults.append("splitViews") }
            isOnePiece(numbers.map { $0 == id }, "split view in pieces")
            let hosts = tabs.enumerated().filter { numbers[$0.offset] == id }.map {
                String(address(of: $0.element).prefix(11))
            }
            if Set(hosts).count != 1 { faults.append("a split view of other tabs: \(hosts)") }
        }
        let known = Set(views.compactMap { $0["id"] as? Int })
        if !Set(numbers.compactMap(\.self)).isSubset(of: known) { faults.append("splitViewId") }
    }

    private func address(of tab: [String: Any]) -> String {
        (tab["entries"] as? [[String: Any]])?.last?["url"] as? String ?? ""
    }

    private mutating func check(tab: [String: Any], isSelected: Bool) {
        let entries = tab["entries"] as? [[String: Any]] ?? []
        let index = tab["index"] as? Int ?? 0
        if !entries.indices.contains(index - 1) { faults.append("index") }
        if isSelected, tab["hidden"] as? Bool == true { faults.append("hidden") }
        for name in [
            "closedId", "pos", "closedInTabGroupId", "removeAfterRestore", "sourceWindowId",
            "closedAt", "split-view", "position",
        ] where tab[name] != nil { faults.append(name) }
        let isPage = address(of: tab).contains("-t.example")
        if !isPage, tab["userTypedValue"] != nil { faults.append("typed elsewhere") }
    }

    private mutating func check(closed: [String: Any]) {
        guard let id = closed["closedId"] as? Int, closedIDs.insert(id).inserted else {
            faults.append("closedId")
            return
        }
    }

    private mutating func check(groups: Any?) {
        for group in groups as? [[String: Any]] ?? [] {
            let id = group["id"] as? String ?? ""
            if !self.groups.insert(id).inserted { faults.append("a closed group is open: \(id)") }
            check(closed: group)
            for tab in group["tabs"] as? [[String: Any]] ?? [] { check(closed: tab) }
        }
    }

    private mutating func isOnePiece(_ marks: [Bool], _ fault: String) {
        guard let first = marks.firstIndex(of: true), let last = marks.lastIndex(of: true),
            last - first + 1 != marks.count(where: \.self)
        else { return }
        faults.append(fault)
    }
}
