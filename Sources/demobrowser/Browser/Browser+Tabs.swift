import BrowserModel
import BrowserSessions

extension Browser {
    /// Opens a tab in the shown window and shows it.
    func open(_ address: String) throws { try open(address, in: window) }

    /// Opens an incognito tab. Incognito tabs have their own list in the same window.
    func openIncognito(_ address: String) throws {
        _ = try server.page(at: address)
        try open(address, in: incognito ?? profile.createIncognito().windows.open(window.id))
    }

    private func open(_ address: String, in window: Window) throws {
        let page = try server.page(at: address)
        let tab = Tab(url: address, title: page.title, createdAt: profile.now())
        try window.tabs.insert(tab, as: .active)
    }

    /// Returns the tab with the user's number, and its list.
    func find(_ number: TabNumber) throws(CommandMistake) -> (list: TabList, tab: Tab) {
        let list =
            number.isOfSpace
            ? profile.windows.library : number.isIncognito ? incognito?.tabs : window.tabs
        let tabs = number.isOfSpace ? tabsOfSpace : list.map { Array($0) } ?? []
        guard let list, tabs.indices.contains(number.number - 1) else {
            let noun =
                number.isIncognito ? "incognito tab" : number.isOfSpace ? "tab in a space" : "tab"
            let count = counted(tabs.count, noun, number.isOfSpace ? "tabs in a space" : nil)
            throw CommandMistake("there is no tab \(number): the window has \(count), see 'tabs'")
        }
        return (list, tabs[number.number - 1])
    }

    func tab(_ number: TabNumber) throws(CommandMistake) -> Tab { try find(number).tab }

    /// Shows a tab. If the tab is unrealized, the model realizes it, which reads its state now.
    func select(_ number: TabNumber) throws -> Tab {
        let (list, tab) = try find(number)
        if number.isIncognito { try list.activate(tab) } else { try window.activate(tab) }
        return tab
    }

    /// Moves a tab in its list. Returns what moved, and where it is now.
    func move(_ number: TabNumber, to place: Int) throws -> String {
        let (list, tab) = try find(number)
        try list.move(tab, to: place - 1)
        let now = list.firstIndex { $0 === tab }.map { "\($0 + 1)" } ?? "another place"
        return "moved tab \(number) to \(now): \(tab.title)"
    }

    /// Moves a tab to another window. An unrealized tab stays unrealized. Returns what moved.
    func send(_ number: TabNumber, toWindow place: Int) throws -> String {
        let (list, tab) = try find(number)
        let target = try window(place)
        guard target !== window else {
            throw CommandMistake("tab \(number) is in that window already")
        }
        let other =
            try !number.isIncognito
            ? target
            : profile.windows.incognito.window(target.id)
                ?? profile.createIncognito().windows.open(target.id)
        try other.tabs.insert(list.detach(tab))
        return "moved tab \(number) to window \(place): \(tab.title)"
    }

    /// Adds tabs to the group with that name. Creates the group if it does not exist.
    func group(_ name: String, _ numbers: [TabNumber]) throws {
        let (list, tabs) = try findInOneList(numbers)
        if let group = list.groups.first(where: { $0.name == name }) {
            try list.move(tabs, to: .inside(group.id))
        } else {
            try list.create(StructureNode.group(id: .random(), name: name), of: tabs)
        }
    }

    func ungroup(_ numbers: [TabNumber]) throws {
        let (list, tabs) = try findInOneList(numbers)
        try list.ungroup(tabs)
    }

    private func findInOneList(_ numbers: [TabNumber]) throws -> (list: TabList, tabs: [Tab]) {
        let found = try numbers.map { try find($0) }
        guard let list = found.first?.list, found.allSatisfy({ $0.list === list }) else {
            throw CommandMistake("incognito tabs are never together with others")
        }
        return (list, found.map(\.tab))
    }
}
