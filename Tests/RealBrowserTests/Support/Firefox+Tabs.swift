/// A tab as a test wants it.
struct WantedTab {
    /// Loaded one after another.
    var addresses: [String]
    /// Which of them is shown in the end; the last one if `nil`.
    var index: Int?
    var isPinned = false
    /// The name of a group.
    var group: String?
}

extension Firefox {
    /// Makes windows with tabs as a user makes them; the first tab of each is selected.
    func make(_ windows: [[WantedTab]], groups: [String: (color: String, isCollapsed: Bool)]) throws
    {
        for (number, tabs) in windows.enumerated() {
            try run(Self.helpers + (number == 0 ? Self.firstWindow : Self.nextWindow))
            for tab in tabs {
                let addresses = tab.addresses.map { "\"\($0)\"" }.joined(separator: ",")
                let back = tab.index.map { "await back(window, tab, \($0));" } ?? ""
                let pin = tab.isPinned ? "window.gBrowser.pinTab(tab);" : ""
                try run(
                    Self.helpers + """
                        let window = Services.wm.getMostRecentWindow("navigator:browser");
                        let tab = await visit(window, [\(addresses)]);
                        \(back) \(pin)
                        """)
            }
            for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
                let members = tabs.indices.filter { tabs[$0].group == name }
                guard !members.isEmpty else { continue }
                // The tab that the window began with is still the first but for pinned ones.
                try run(
                    """
                    let { gBrowser } = Services.wm.getMostRecentWindow("navigator:browser");
                    let tabs = \(members).map(index => gBrowser.tabs[index + 1]);
                    let group = gBrowser.addTabGroup(tabs,
                        { label: "\(name)", color: "\(group.color)", insertBefore: tabs[0] });
                    group.collapsed = \(group.isCollapsed);
                    """)
            }
            try run(
                """
                let { gBrowser } = Services.wm.getMostRecentWindow("navigator:browser");
                let first = gBrowser.tabs.find(tab => tab.linkedBrowser.currentURI.spec == "about:blank");
                gBrowser.selectedTab = gBrowser.tabs.find(tab => tab != first);
                if (first) gBrowser.removeTab(first);
                """)
        }
    }

    private static let firstWindow = """
        let { gBrowser } = Services.wm.getMostRecentWindow("navigator:browser");
        await load(gBrowser, gBrowser.selectedTab, "about:blank");
        """

    private static let nextWindow = """
        const { BrowserWindowTracker } = ChromeUtils.importESModule(
            "resource:///modules/BrowserWindowTracker.sys.mjs");
        let window = await BrowserWindowTracker.promiseOpenWindow();
        await load(window.gBrowser, window.gBrowser.selectedTab, "about:blank");
        """

    /// What a page does is known when the browser says so.
    private static let helpers = """
        const principal = Services.scriptSecurityManager.getSystemPrincipal();
        function after(gBrowser, tab, flag, action) {
            return new Promise(done => {
                const listener = {
                    onStateChange(browser, progress, request, flags) {
                        const { STATE_STOP, STATE_IS_NETWORK } = Ci.nsIWebProgressListener;
                        const ended = flags & STATE_STOP && flags & STATE_IS_NETWORK;
                        if (flag == "stop" && browser == tab.linkedBrowser && ended) end();
                    },
                    onLocationChange(browser, progress) {
                        if (flag == "location" && browser == tab.linkedBrowser && progress.isTopLevel)
                            end();
                    },
                };
                function end() { gBrowser.removeTabsProgressListener(listener); done(); }
                gBrowser.addTabsProgressListener(listener);
                action();
            });
        }
        function load(gBrowser, tab, address) {
            return after(gBrowser, tab, "stop", () => tab.linkedBrowser.loadURI(
                Services.io.newURI(address), { triggeringPrincipal: principal }));
        }
        async function visit(window, addresses) {
            let tab = window.gBrowser.addTab("about:blank", { triggeringPrincipal: principal });
            for (let address of addresses) await load(window.gBrowser, tab, address);
            return tab;
        }
        function back(window, tab, index) {
            return after(window.gBrowser, tab, "location",
                () => tab.linkedBrowser.gotoIndex(index));
        }

        """
}
