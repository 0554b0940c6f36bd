import BrowserModel
import BrowserSessions
import SessionTesting

@testable import SessionRestoration

/// What a user does with tabs. None of it waits.
extension RandomHost {
    /// The windows on the screen.
    var onScreen: [Window] { windows.windows.filter { $0.kind == .regular || $0.isIncognito } }

    func partition(_ isIncognito: Bool) -> [Window] {
        onScreen.filter { $0.isIncognito == isIncognito }
    }

    /// A tab in a window, its window and its index.
    func anyTab() -> (window: Window, tab: Tab, index: Int)? {
        guard let window = pick(onScreen.filter { !$0.tabs.isEmpty }) else { return nil }
        let index = number(0..<window.tabs.count)
        return (window, window.tabs[index], index)
    }

    func openTab() throws {
        guard let window = pick(onScreen) else { return try openWindow(.regular) }
        let name = name()
        let tab = Tab(
            id: .random(using: &generator), url: "https://\(name).example/", title: name,
            createdAt: host.clock.timestamp)
        var insertion = TabInsertion(activates: chance(2))
        switch number(0..<4) {
        case 0: insertion.index = number(0..<window.tabs.count + 1)
        case 1: insertion.opener = pick(window.tabs.tabs)?.id
        case 2: insertion.isPinned = chance(2)
        default: break
        }
        try window.tabs.insert(tab, as: insertion)
        note("open \(name) in \(label(window))")
    }

    /// Where a tab is, or on its way.
    private func anyLivingTab() -> Tab? {
        if chance(5), let key = pick(detachedTabs) { return key.tab }
        return anyTab()?.tab
    }

    func change() {
        guard let tab = anyLivingTab() else { return }
        let name = name()
        switch number(0..<9) {
        case 8:
            note("unload \(tab.title)")
            try? tab.unload()
        case 0...2:
            note("navigate \(tab.title) to \(name)")
            tab.visit(name)
        case 3:
            note("go back in \(tab.title)")
            tab.pages?.goBack()
        case 4, 5:
            note("scroll \(tab.title)")
            tab.pages?.native = chance(4) ? nil : Array(name.utf8)
            tab.stateDidChange()
        case 6:
            note("title of \(tab.title) is \(name)")
            tab.setTitle(name)
        default:
            note("property of \(tab.title)")
            tab.setProperty("a", to: chance(4) ? nil : name)
        }
    }

    func arrange() throws {
        guard let (window, tab, index) = anyTab() else { return }
        let list = window.tabs
        switch number(0..<9) {
        case 0, 1:
            note("pin \(tab.title): \(!tab.isPinned)")
            _ = try tab.isPinned ? list.unpin(tab) : list.pin(tab)
        case 2:
            let group = StructureNode.group(
                id: .random(using: &generator), name: name(), color: .red,
                isCollapsed: chance(4))
            let others = list.tabs.indices.filter { _ in chance(3) }
            note("group \(tab.title) with \(others)")
            do throws(TabListError) {
                try list.create(group, of: Set([index] + others).sorted().map { list[$0] })
            } catch {
                // A group of what has groups below it may be too deep.
                guard rules != .flatGroups else { throw error }
            }
        case 3:
            guard let group = pick(list.groups) else { return }
            note("add \(tab.title) to a group")
            do throws(TabListError) { try list.move(tab, into: group) } catch {
                guard rules != .flatGroups else { throw error }
            }
        case 4:
            note("ungroup \(tab.title)")
            try list.ungroup([tab])
        case 5:
            note("activate \(tab.title)")
            if chance(8) { try list.deactivate() } else { try list.activate(tab) }
        default:
            let target = number(0..<list.count)
            note("move \(tab.title) to \(target)")
            try list.move(tab, to: target)
        }
    }

    // MARK: Between windows

    func transfer() throws {
        guard let (window, tab, index) = anyTab(),
            let other = pick(partition(window.isIncognito).filter { $0 !== window })
        else { return }
        let indexes = Set([index] + window.tabs.tabs.indices.filter { _ in chance(4) })
        note("transfer \(tab.title) and others to \(label(other))")
        try window.tabs.transfer(
            indexes.sorted().map { window.tabs[$0] }, to: other.tabs, at: chance(2) ? .front : .end)
    }

    func detach() {
        guard let (window, tab, _) = anyTab() else { return }
        note("detach \(tab.title) from \(label(window))")
        var was = tab.metadata
        // What is in something pinned is pinned, and comes back so when that has gone.
        was.isPinned = tab.isPinned
        if let group = window.tabs.nodes.first(where: { $0.id == was.group }) {
            was.group = group.origin
        }
        _ = try? window.tabs.detach(tab)
        detachedTabs.append((tab, was, window.sessionID))
    }

    func endDetour() throws {
        guard !detachedTabs.isEmpty else { return detach() }
        let index = number(0..<detachedTabs.count)
        let tab = detachedTabs[index].tab
        let isIncognito = tab.isIncognito == true
        switch number(0..<5) {
        case 0:
            note("close \(tab.title) on its way")
            detachedTabs.remove(at: index)
            refused.remove(tab.id)
            tab.close()
        case 1: letGo(index)
        default:
            guard let window = pick(partition(isIncognito)) else { return }
            note("insert \(tab.title) into \(label(window))")
            detachedTabs.remove(at: index)
            try window.tabs.insert(
                tab, as: TabInsertion(at: chance(2) ? 0 : nil, isPinned: chance(4)))
        }
    }

    private func letGo(_ index: Int) {
        let tab = detachedTabs[index].tab
        note("let go of \(tab.title)")
        if tab.isIncognito == true { refused.remove(tab.id) } else { join([tab.metadata]) }
        // No other reference may keep it.
        detachedTabs.remove(at: index)
    }

    // MARK: Closing

    func closeTabs() throws {
        guard let (window, tab, index) = anyTab() else { return }
        let list = window.tabs
        var indexes = [index]
        if chance(3) {
            indexes = Set(indexes + list.tabs.indices.filter { _ in chance(3) }).sorted()
        }
        if chance(12) { indexes = Array(list.tabs.indices) }
        let isProgram = goesBack && names.isMultiple(of: 2)
        let reason = !chance(3) ? ClosingReason.user : isProgram ? .program : .cleanup
        note("close \(indexes.count) tabs with \(tab.title) of \(label(window)): \(reason)")
        let leaving = indexes.map { list[$0] }
        let leavers = Leavers()
        list.addObserver(leavers)
        try list.close(indexes.map { list[$0] }, reason: reason)
        list.removeObserver(leavers)
        // What branches from a tab and stays takes its place before that closes, which may change the order.
        guard rules != .flatGroups || leavers.tabs.map(\.id) == leaving.reversed().map(\.id),
            Set(leavers.tabs.map(\.id)) == Set(leaving.map(\.id))
        else { throw fail("\(leavers.tabs.map(\.title)) left, not \(leaving.map(\.title))") }
        willClose(leavers.tabs.reversed(), in: window, reason)
    }

    /// - Parameter tabs: in the order of the list.
    func willClose(_ tabs: [Tab], in window: Window, _ reason: ClosingReason) {
        if reason.isUndoable, !window.isIncognito {
            // A list reports the last one first.
            join(tabs.reversed().map(\.metadata))
        } else {
            refused.subtract(tabs.map(\.id))
        }
    }

    /// Tabs join the recently closed ones, in one go.
    func join(_ tabs: [TabMetadata]) {
        names += 1
        for tab in tabs {
            closed.append(.init(id: tab.id, url: tab.url, title: tab.title, closing: names))
            enforceLimit()
        }
    }

    func enforceLimit() {
        let excess = closed.count - restorer.policy.closed.maximumTabs
        guard excess > 0 else { return }
        let last = closed.last?.closing
        let dropped = Set(closed.prefix(excess).filter { $0.closing != last }.map(\.id))
        closed.removeAll { dropped.contains($0.id) }
        refused.subtract(dropped)
    }

    func reopenTabs() throws {
        guard !closed.isEmpty, !partition(false).isEmpty else { return }
        let tabs: [Tab]
        if chance(2) {
            tabs = try restorer.closed.reopenLast()
        } else {
            guard let one = pick(closed) else { return }
            tabs = [try restorer.closed.reopen(one.id)]
        }
        note("reopen \(tabs.map(\.title))")
        let ids = Set(tabs.map(\.id))
        closed.removeAll { ids.contains($0.id) }
    }

    func label(_ window: Window) -> String {
        let number = windows.windows.firstIndex { $0 === window } ?? -1
        return "window \(number) (\(window.kind.rawValue))"
    }
}

/// The tabs that leave a list, in the order in which it reports them.
private final class Leavers: TabListObserver {
    private(set) var tabs: [Tab] = []

    func tabList(_ list: TabList, did change: TabListChange) {
        if case .removed(let removal) = change { tabs.append(removal.tab) }
    }
}
