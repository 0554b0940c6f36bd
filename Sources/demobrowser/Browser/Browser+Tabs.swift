import BrowserModel
import BrowserSessions

extension Browser {
    /// Opens a tab in the shown window and shows it.
    func open(_ address: String) throws { try open(address, in: window) }

    /// Opens an incognito tab: it has a list of its own in the same window.
    func openIncognito(_ address: String) throws {
        _ = try server.page(at: address)
        try open(address, in: incognito ?? profile.windows.open(window.id, kind: .incognito))
    }

    private func open(_ address: String, in window: Window) throws {
        let page = try server.page(at: address)
        let tab = Tab(url: address, title: page.title, engine: engine)
        try window.tabs.insert(tab, .active)
    }

    /// The list and the index that a number of the user means.
    func find(_ number: TabNumber) throws(CommandError) -> (list: TabList, index: Int) {
        let tabs = number.isIncognito ? incognito?.tabs : window.tabs
        guard let tabs, tabs.tabs.indices.contains(number.number - 1) else {
            throw .noTab(number, count: tabs?.count ?? 0)
        }
        return (tabs, number.number - 1)
    }

    func tab(_ number: TabNumber) throws(CommandError) -> Tab {
        let (list, index) = try find(number)
        return list[index]
    }

    /// Shows a tab. The model realizes it: its state is read now, unless it was realized before.
    func select(_ number: TabNumber) throws -> Tab {
        let (list, index) = try find(number)
        list.activate(at: index)
        return list[index]
    }

    func close(_ numbers: [TabNumber]) throws {
        let found = try numbers.map { try find($0) }
        for side in [false, true] {
            let chosen = found.filter { $0.list.isOffTheRecord == side }
            chosen.first?.list.close(at: chosen.map(\.index))
        }
    }

    func move(_ number: TabNumber, to place: Int) throws {
        let (list, index) = try find(number)
        list.move(from: index, to: min(max(place - 1, 0), list.count - 1))
    }

    /// Moves a tab to another window; an unrealized one stays unrealized.
    func send(_ number: TabNumber, to target: Window) throws {
        let (list, index) = try find(number)
        guard target !== window else {
            throw CommandError.notNow("tab \(number) is in that window already")
        }
        let other =
            try !number.isIncognito
            ? target
            : profile.windows.window(target.id, .incognito)
                ?? profile.windows.open(target.id, kind: .incognito)
        guard let tab = list.detach(at: index) else { return }
        try other.tabs.insert(tab)
    }

    func pin(_ number: TabNumber, _ isPinned: Bool) throws {
        let (list, index) = try find(number)
        list.setPinned(isPinned, at: index)
    }

    /// Adds tabs to the group of that name, or makes it.
    func group(_ name: String, _ numbers: [TabNumber]) throws {
        let (list, indexes) = try findInOneList(numbers)
        if let group = list.groups.first(where: { $0.title == name }) {
            try list.add(indexes, to: group.id)
        } else {
            try list.createGroup(TabGroup(id: .random(), title: name), of: indexes)
        }
    }

    func ungroup(_ numbers: [TabNumber]) throws {
        let (list, indexes) = try findInOneList(numbers)
        list.ungroup(indexes)
    }

    private func findInOneList(_ numbers: [TabNumber]) throws -> (TabList, [Int]) {
        let found = try numbers.map { try find($0) }
        guard let list = found.first?.list, found.allSatisfy({ $0.list === list }) else {
            throw CommandError.notNow("incognito tabs are never together with others")
        }
        return (list, found.map(\.index))
    }
}
