import BrowserModel
import BrowserSessions
import Foundation
import GTKSupport
import SessionRestoration

extension Stage {
    func haveTrouble() async throws {
        guard let window = regular.first else { return check("a window is there", false) }
        let tab = try await open("page/20", in: window)
        await scroll(tab, to: 300)
        try await failures(in: tab)
        try await downloads(in: tab)
        try await leaving(window)
        try await crashes(in: window)
        try await hanging(in: window)
    }

    // MARK: Loads

    private func failures(in tab: Tab) async throws {
        let unsigned = try SecureServer(folder: folder)
        let secure = address("page/1").replacingOccurrences(of: "http:", with: "https:")
        defer { withExtendedLifetime(unsigned) {} }
        let loads = [
            ("a loop of redirects", address("loop/1")),
            ("a server that says nothing", address("silence")),
            ("no secure connection", secure),
            ("an untrusted certificate", unsigned.address),
        ]
        for (what, address) in loads {
            tab.page?.load(address)
            let hasFailed = await until {
                if case .failed(let failure) = tab.pageLoad {
                    failure.address == address
                } else {
                    false
                }
            }
            let here = await ask(tab, "location.pathname + ' ' + scrollY + ' ' + history.length")
            check(
                "\(what): failed, and the tab has what it had",
                hasFailed && tab.url == self.address("page/20") && here == "/page/20 300 1",
                here)
        }
    }

    private func downloads(in tab: Tab) async throws {
        tab.page?.load(address("file/1"))
        let address = address("file/1")
        let isDownload = await until { tab.pageLoad == .becameDownload(address) }
        check(
            "a download in a tab: its page stays",
            isDownload && tab.url == self.address("page/20") && tab.page?.history.entries.count == 1
        )
        guard let list = tab.list else { return }
        let before = list.count
        let other = try list.open(address)
        let isGone = await until { other.isClosed }
        check("a download in a new tab: no tab is left", isGone && list.count == before)
        let file = "\(profile)/downloads/file.txt"
        let isThere = await until {
            (try? String(contentsOfFile: file, encoding: .utf8)) == "saved by the browser"
        }
        check("the file is there", isThere)
    }

    private func leaving(_ window: Window) async throws {
        let tab = try await open("script/leave", in: window)
        browser.windows.first { $0.window === window }?.closeTab()
        check("a page that agrees to be closed is closed", await until(5) { tab.isClosed })
        guard let active = window.tabs.activeTab else { return check("a tab is left", false) }
        await arrival(of: active)
        check("it was asked", await ask(active, "localStorage.left") == "yes")
        let item = browser.restorer.closed.items.first
        check("it can be reopened", item?.shownTab?.url == address("script/leave"))
    }

    // MARK: Processes

    private func crashes(in window: Window) async throws {
        let tabs = [
            try await open("page/21", in: window), try await open("page/22", in: window),
        ]
        await scroll(tabs[1], to: 640)
        try await browser.restorer.save()
        var crashed: [Tab] { window.tabs.filter { $0.pageLoad == .crashed } }
        for process in processes("WebKitWebProces").reversed() where crashed.count < 2 {
            let before = crashed.count
            kill(process, SIGKILL)
            _ = await until(1) { crashed.count > before }
        }
        check(
            "two processes of pages were killed: two tabs say so", crashed.count == 2,
            "\(crashed.count)")
        for tab in crashed {
            try window.tabs.activate(tab)
            tab.page?.reload()
            await arrival(of: tab)
        }
        let isThere = await until(3) { await self.ask(tabs[1], "scrollY") == "640" }
        check("reloading brings them back", crashed.isEmpty)
        check("a crashed page is where it was", isThere, await ask(tabs[1], "scrollY"))
    }

    private func hanging(in window: Window) async throws {
        let tab = try window.tabs.open(address("script/hang"))
        check("a page hangs", await until { tab.title == "Hangs" })
        tab.page?.stateMayHaveChanged()
        let clock = ContinuousClock()
        let time = try await clock.measure { try await browser.restorer.save() }
        check("a save does not wait for it", time < .seconds(1), "\(time)")
        try window.tabs.close(tab)
        check("it can be closed", tab.isClosed)
    }
}
