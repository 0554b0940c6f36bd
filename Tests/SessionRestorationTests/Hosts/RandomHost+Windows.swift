import BrowserModel
import BrowserSessions
import SessionTesting

@testable import SessionRestoration

/// What a user does with windows.
extension RandomHost {
    func openWindow(_ kind: SessionKind) throws {
        let window = try windows.list(of: kind).open(.random(using: &generator))
        note("open \(label(window))")
        for _ in 0..<number(0..<3) { try addTab(to: window) }
    }

    private func addTab(to window: Window) throws {
        let name = name()
        let tab = Tab(
            id: .random(using: &generator), url: "https://\(name).example/", title: name,
            createdAt: host.clock.timestamp)
        try window.tabs.insert(tab, as: .active)
    }

    func closeWindow() throws {
        guard let window = pick(onScreen) else { return }
        note("close \(label(window)) with \(window.titles)")
        if window.isIncognito { refused.subtract(window.tabs.tabs.map(\.id)) }
        try close(window)
    }

    private func close(_ window: Window) throws {
        let companions = windows.windows.filter {
            window.kind == .regular && $0.id == window.id && $0.kind == .backup
        }
        for window in [window] + companions {
            for index in detachedTabs.indices where detachedTabs[index].origin == window.sessionID {
                detachedTabs[index].origin = nil
            }
            guard !window.isIncognito else { continue }
            closedWindows[window.sessionID] = WindowPicture(window)
        }
        try windows.close(window)
    }

    /// Opens a closed window again and looks whether it is as it was.
    func reopenWindow() async throws {
        let ids = closedWindows.keys.filter { $0.kind == .regular }.sorted()
        guard let id = pick(ids) else { return }
        note("reopen window \(id)")
        do throws(SessionRestorationError) {
            try await restorer.savedWindows.open(id.window)
        } catch {
            return note("it was not opened: \(error)")
        }
        for kind in [SessionKind.regular, .backup] {
            let session = SessionID(window: id.window, kind: kind)
            guard let was = closedWindows.removeValue(forKey: session) else { continue }
            guard let window = windows.window(id.window, kind: kind) else {
                if was.tabs.isEmpty { continue }
                throw fail("window \(session) was not opened again")
            }
            let now = WindowPicture(window)
            guard now == was.saved else {
                throw fail("window \(session) was \(was) and is \(now)")
            }
        }
    }

    func merge() throws {
        guard let target = pick(partition(false)) else { return }
        note("merge all windows into \(label(target))")
        for window in windows.windows(of: .regular) where window !== target {
            if let backup = windows.window(window.id, kind: .backup) {
                willClose(backup.tabs.tabs, in: backup, .user)
            }
            for index in detachedTabs.indices where detachedTabs[index].origin == window.sessionID {
                detachedTabs[index].origin = nil
            }
        }
        try restorer.savedWindows.mergeAll(into: target)
    }

    func closeAll() throws {
        guard let window = pick(partition(false).filter { !$0.tabs.isEmpty }) else { return }
        if let backup = windows.window(window.id, kind: .backup) {
            switch number(0..<3) {
            case 0:
                note("undo closing all of \(label(window))")
                try restorer.closeAll.undo(in: window.id)
            case 1:
                note("confirm closing all of \(label(window))")
                willClose(backup.tabs.tabs, in: backup, .user)
                try restorer.closeAll.confirm(in: window.id)
            default: break
            }
            return
        }
        note("close all of \(label(window))")
        try restorer.closeAll(in: window, keepingPinned: chance(2))
    }

    func changeWindow() {
        guard let window = pick(onScreen) else { return }
        note("change \(label(window))")
        switch number(0..<3) {
        case 0: window.title = name()
        case 1: window.setProperty("frame", to: name())
        default:
            window.enterForeground(at: host.clock.timestamp)
            window.enterBackground()
        }
    }

    // MARK: What no store takes

    func makeTooLarge() {
        guard let (_, tab, _) = anyTab() else { return }
        refused.insert(tab.id)
        if let pages = tab.pages, maximumBytes < 1 << 20, chance(2) {
            note("too large a blob for \(tab.title)")
            pages.native = [UInt8](repeating: 7, count: maximumBytes + names)
            tab.stateDidChange()
        } else {
            note("too large a property for \(tab.title)")
            tab.setProperty("huge", to: TabMetadata.huge)
        }
    }

    func makeSmall(_ tab: Tab) {
        note("\(tab.title) is small again")
        tab.setProperty("huge", to: nil)
        if let pages = tab.pages {
            if pages.captureState().isTooLarge(for: maximumBytes) { pages.native = [1] }
            tab.stateDidChange()
            refused.remove(tab.id)
        }
    }

    func isTooLarge(_ tab: Tab) -> Bool {
        tab.metadata.isHuge
            || tab.page?.captureState().isTooLarge(for: maximumBytes) ?? false
    }
}
