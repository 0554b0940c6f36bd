extension Firefox {
    static let opening = """
        async browser => {
            \(DriverScripts.until)
            const shows = async (view, entry) => {
                if (await until(() => view.currentURI.spec === entry.url
                    && view.contentTitle === entry.title && !view.webProgress.isLoadingDocument,
                    30000)) return;
                throw new Error(`${entry.url} does not load: ${view.currentURI.spec}`);
            };
            const triggeringPrincipal = Services.scriptSecurityManager.getSystemPrincipal();
            const opened = [window];
            for (const { tabs } of browser.windows.slice(1)) {
                const other = OpenBrowserWindow();
                await until(() => other.gBrowserInit?.delayedStartupFinished, 30000);
                opened.push(other);
            }
            for (const [place, { tabs, active }] of browser.windows.entries()) {
                const { gBrowser } = opened[place];
                const before = [...gBrowser.tabs];
                const made = tabs.map(tab => gBrowser.addTrustedTab(tab.entries[0].url));
                for (const tab of before) gBrowser.removeTab(tab);
                for (const [place, { entries, index }] of tabs.entries()) {
                    const view = made[place].linkedBrowser;
                    await shows(view, entries[0]);
                    for (const entry of entries.slice(1)) {
                        view.fixupAndLoadURIString(entry.url, { triggeringPrincipal });
                        await shows(view, entry);
                    }
                    if (index === entries.length - 1) continue;
                    view.gotoIndex(index);
                    await shows(view, entries[index]);
                }
                for (const [place, tab] of tabs.entries()) {
                    if (tab.isPinned) gBrowser.pinTab(made[place]);
                }
                gBrowser.selectedTab = made[active];
                const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
                for (let begin = 0, end; begin < tabs.length; begin = end) {
                    const group = tabs[begin].group;
                    for (end = begin; end < tabs.length && same(tabs[end].group, group);) end++;
                    if (!group) continue;
                    const color = group.color === "grey" ? "gray" : group.color;
                    const inside = made.slice(begin, end);
                    gBrowser.addTabGroup(
                        inside, { label: group.title, color, insertBefore: inside[0] }
                    ).collapsed = group.isCollapsed;
                }
            }
            opened[browser.focused].focus();
            return true;
        }
        """

    static let looking = """
        async count => {
            \(DriverScripts.until)
            const { TabStateFlusher } = ChromeUtils.importESModule(
                "resource:///modules/sessionstore/TabStateFlusher.sys.mjs");
            await SessionStore.promiseAllWindowsRestored;
            const windows = () => [...Services.wm.getEnumerator("navigator:browser")];
            await until(() => windows().reduce(
                (sum, window) => sum + window.gBrowser.tabs.length, 0) === count, 20000);
            for (const window of windows()) await TabStateFlusher.flushWindow(window);
            const state = JSON.parse(SessionStore.getBrowserState());
            return {
                windows: state.windows.map(({ tabs, groups, selected }) => ({
                    tabs: tabs.map(({ entries, index, pinned, groupId }) => {
                        const group = groups?.find(group => group.id === groupId);
                        return {
                            entries: entries.map(({ url, title }) => ({ url, title: title ?? "" })),
                            index: index - 1, isPinned: pinned === true,
                            group: group && {
                                title: group.name, isCollapsed: group.collapsed === true,
                                color: group.color === "gray" ? "grey" : group.color,
                            },
                        };
                    }),
                    active: selected - 1,
                })),
                focused: state.selectedWindow - 1,
            };
        }
        """
}
