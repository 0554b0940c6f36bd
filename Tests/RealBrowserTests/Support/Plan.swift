import BrowserDriving

/// What browsers are asked to open.
struct Plan {
    let server: PageServer

    init() throws { server = try PageServer() }

    func entry(_ name: String) -> LiveEntry { LiveEntry(url: server.page(name), title: name) }

    func tab(_ names: String..., at index: Int? = nil, in group: LiveGroup? = nil) -> LiveTab {
        LiveTab(entries: names.map(entry), index: index ?? names.count - 1, group: group)
    }

    /// Two windows: pins, groups next to each other, one of them collapsed, a tab in the middle of
    /// its history, and titles in several scripts.
    var twoWindows: LiveBrowser {
        let green = LiveGroup(title: "Grüße 组", color: "green")
        let grey = LiveGroup(title: "لاحقا", color: "grey", isCollapsed: true)
        var pins = [tab("pinned"), tab("pinned, 2 back", "pinned, 1 back", "also pinned", at: 1)]
        for index in pins.indices { pins[index].isPinned = true }
        return LiveBrowser(
            windows: [
                LiveWindow(
                    tabs: pins + [
                        tab("one", "two", "three", "four", at: 1),
                        tab("مرحبا بالعالم", in: green), tab("你好，世界", "再见", in: green),
                        tab("later", in: grey), tab("much later", in: grey), tab("last"),
                    ], active: 2),
                LiveWindow(tabs: [tab("left"), tab("👩‍👩‍👧 family 🇺🇳"), tab("right")], active: 1),
            ], focused: 1)
    }

    /// 200 tabs and 100, with pins, groups of every colour and histories.
    var threeHundredTabs: LiveBrowser {
        let scripts = ["Übersicht", "日本語の題", "العربية", "🎧 Radio", "plain"]
        let colors = [
            "grey", "blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange",
        ]
        let windows = [200, 100].map { count in
            let tabs = (0..<count).map { number in
                let name = "\(scripts[number % 5]) \(number) of \(count)"
                var tab =
                    number % 3 == 0
                    ? tab("\(name), back", name, "\(name), forward", at: 1) : tab(name)
                tab.isPinned = number < 5
                if number >= 20, number % 10 < 7 {
                    let group = number / 10
                    tab.group = LiveGroup(
                        title: "\(scripts[group % 5]) \(group)", color: colors[group % 9],
                        isCollapsed: group % 3 == 0)
                }
                return tab
            }
            return LiveWindow(tabs: tabs, active: 12)
        }
        return LiveBrowser(windows: windows)
    }
}
