extension Chromium {
    static let manifest = """
        {
            "manifest_version": 3, "name": "Driving", "version": "1",
            "permissions": ["debugger", "sessions", "tabGroups", "tabs"]
        }
        """

    /// Waits until a tab has loaded an entry.
    static let showing = """
        async (id, entry) => {
            \(DriverScripts.until)
            const shows = async () => {
                const tab = await chrome.tabs.get(id);
                return tab.status === "complete" && tab.url === entry.url
                    && tab.title === entry.title;
            };
            if (await until(shows, 30000)) return true;
            const tab = JSON.stringify(await chrome.tabs.get(id));
            throw new Error(`${entry.url} does not load: ${tab}`);
        }
        """

    /// Opens everything but leaves each tab at its last entry; gives the tabs of each window and
    /// their targets.
    static let opening = """
        async browser => {
            const shows = \(showing);
            const before = await chrome.windows.getAll();
            const opened = [], all = [];
            for (const { tabs, active } of browser.windows) {
                const first = tabs[0].entries[0].url;
                const { id: windowId, tabs: [{ id }] } = await chrome.windows.create({ url: first });
                opened.push(windowId);
                const ids = [id];
                all.push(ids);
                for (const tab of tabs.slice(1)) {
                    const url = tab.entries[0].url;
                    ids.push((await chrome.tabs.create({ windowId, url, active: false })).id);
                }
                for (const [place, { entries }] of tabs.entries()) {
                    await shows(ids[place], entries[0]);
                    for (const entry of entries.slice(1)) {
                        await chrome.tabs.update(ids[place], { url: entry.url });
                        await shows(ids[place], entry);
                    }
                }
                for (const [place, tab] of tabs.entries()) {
                    if (tab.isPinned) await chrome.tabs.update(ids[place], { pinned: true });
                }
                await chrome.tabs.update(ids[active], { active: true });
                const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
                for (let begin = 0, end; begin < tabs.length; begin = end) {
                    const group = tabs[begin].group;
                    for (end = begin; end < tabs.length && same(tabs[end].group, group);) end++;
                    if (!group) continue;
                    const tabIds = ids.slice(begin, end);
                    const made = await chrome.tabs.group({ tabIds, createProperties: { windowId } });
                    const { title, color, isCollapsed: collapsed } = group;
                    await chrome.tabGroups.update(made, { title, color, collapsed });
                }
            }
            for (const window of before) await chrome.windows.remove(window.id);
            await chrome.windows.update(opened[browser.focused], { focused: true });
            const targets = await chrome.debugger.getTargets();
            const target = id => targets.find(({ tabId }) => tabId === id).id;
            return { tabs: all, targets: all.map(ids => ids.map(target)) };
        }
        """

    static let looking = """
        async count => {
            \(DriverScripts.until)
            const windows = () => chrome.windows.getAll({ populate: true });
            await until(async () => {
                const tabs = (await windows()).flatMap(window => window.tabs);
                return tabs.length === count
                    && tabs.every(tab => tab.status !== "loading" && tab.url);
            }, 20000);
            const all = await windows();
            const groups = new Map((await chrome.tabGroups.query({})).map(
                ({ id, title, color, collapsed }) => [id, { title, color, isCollapsed: collapsed }]));
            const targets = new Map(
                (await chrome.debugger.getTargets()).map(target => [target.tabId, target.id]));
            const last = await chrome.windows.getLastFocused();
            return {
                state: {
                    windows: all.map(({ tabs }) => ({
                        tabs: tabs.map(tab => ({
                            entries: [], index: 0, isPinned: tab.pinned,
                            group: groups.get(tab.groupId),
                        })),
                        active: tabs.findIndex(tab => tab.active),
                    })),
                    focused: all.findIndex(window => window.id === last.id),
                },
                targets: all.map(({ tabs }) => tabs.map(tab => targets.get(tab.id))),
            };
        }
        """
}
