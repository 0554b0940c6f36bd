// The rows of lists: tabs with their histories, heads of groups and of runs of a sorted list.

const heights = { tab: 0, head: 0 };
const SOME_ENTRIES = 200;

// The heights that the style sheet gives to rows at this size of window and text.
function measureRows() {
    const list = element("ol", "roll");
    document.getElementById("tabs").append(list);
    for (const name of Object.keys(heights)) {
        const probe = element("li", name);
        list.append(probe);
        heights[name] = probe.getBoundingClientRect().height;
    }
    list.remove();
}

// - Parameter view: the words that are searched for, and whether rows tell their window.
function tabItem(tab, view) {
    return {
        tab,
        height: () => tab.isUnfolded ? tab.unfoldedHeight ?? heights.tab * 4 : heights.tab,
        make: () => tabRow(tab, view),
        settle: (height) => {
            if (tab.unfoldedHeight === height) return false;
            tab.unfoldedHeight = height;
            return true;
        },
    };
}

function tabRow(tab, view) {
    const row = element("li", "tab");
    if (tab.group && !view.isSorted) row.dataset.colour = tab.group.colour;
    const site = siteOf(tab.url);
    const open = link(tab.url, "open");
    open.dataset.stop = "";
    if (open.localName === "span") {
        open.setAttribute("role", "link");
        open.setAttribute("aria-disabled", "true");
    }
    open.append(name(tab, view), address(tab, view));
    if (view.isSorted) open.append(whereabouts(tab));
    const unfold = element("button", "unfold", entryCount(tab), icon("chevron"));
    unfold.type = "button";
    unfold.tabIndex = -1;
    unfold.setAttribute("aria-expanded", tab.isUnfolded);
    unfold.setAttribute("aria-label", "History, " + counted(tab.entries, "page"));
    unfold.title = "History (h)";
    const line = element("div", "line", pick(tab, site), open, unfold);
    row.append(line);
    if (tab.isUnfolded) row.append(details(tab));
    if (tab.isActive) row.classList.add("active");
    if (chosen.has(tab)) row.classList.add("chosen");
    giveTabStop(open, tab);
    return row;
}

// The mark of the site chooses the tab.
function pick(tab, site) {
    const made = element("button", "pick", siteMark(site));
    made.type = "button";
    made.tabIndex = -1;
    made.setAttribute("role", "checkbox");
    made.setAttribute("aria-checked", chosen.has(tab));
    made.setAttribute("aria-label", "Choose");
    made.title = "Choose (x)";
    return made;
}

function entryCount(tab) {
    return element("span", "", tab.entries > 1 ? NUMBER.format(tab.entries) : "");
}

// A letter in a colour instead of an icon, which would have to be fetched.
function siteMark(site) {
    const mark = element("span", "site", [...site][0]?.toUpperCase() ?? "·");
    let sum = 0;
    for (const character of site) sum = (sum * 31 + character.codePointAt(0)) % 360;
    mark.style.setProperty("--hue", sum);
    mark.setAttribute("aria-hidden", "true");
    return mark;
}

function name(tab, view) {
    const title = tab.title.trim();
    const made = element("span", title ? "name" : "name untitled");
    if (tab.isPinned) made.append(icon("pin"), element("span", "spoken", "Pinned: "));
    const room = view.isSorted ? 50 : 28;
    const shown = excerpt(title, rangesOf(view.words, title), room);
    made.append(title ? foreign(...shown) : untitled(tab));
    if (title) made.title = foreignLine(title);
    if (tab.isActive) made.append(element("span", "badge", "active"));
    if (tab.same) made.append(doubleBadge(tab));
    return made;
}

function doubleBadge(tab) {
    const count = tab.same.length;
    const made = element("span", "badge double", count === 2 ? "twice" : NUMBER.format(count) + " times");
    const places = new Set(tab.same.filter((other) => other !== tab)
        .map((other) => other.session === tab.session ? "here" : windowName(other.session)));
    made.title = "Also " + [...places].slice(0, 8).map(foreignLine).join(", ");
    return made;
}

function untitled(tab) {
    return tab.url ? foreign(siteOf(tab.url) || cut(tab.url, SHOWN)) : "Empty tab";
}

function address(tab, view) {
    const made = element("span", "address");
    const ranges = rangesOf(view.words, tab.url);
    made.append(tab.url ? shortAddress(tab.url, ranges, view.isSorted ? 44 : 34) : "no address");
    return made;
}

// What a sorted list tells, where neighbours are of different windows.
function whereabouts(tab) {
    const made = element("span", "where");
    made.append(element("span", "window-name", foreign(windowName(tab.session))));
    if (tab.group) {
        const title = tab.group.title.trim();
        const group = element("span", title ? "pill" : "pill unnamed");
        group.append(title ? foreign(title) : "unnamed");
        group.dataset.colour = tab.group.colour;
        made.append(group);
    }
    // The head of its run tells the day of a recent one.
    const isOnItsDay = view.order === "use" && isRecent(tab.lastActiveAt, page.exportedAt);
    made.append(element("span", "used", told(isOnItsDay ? TIME : DAY, tab.lastActiveAt)));
    return made;
}

function details(tab) {
    const made = element("div", "details");
    const times = [["Opened", tab.createdAt], ["Last used", tab.lastActiveAt]]
        .filter(([, time]) => date(time)).map(([what, time]) => what + " " + told(MOMENT, time));
    made.append(element("p", "whole", foreign(cut(tab.title.trim()) || "No title")));
    if (tab.url) made.append(element("p", "whole-address", foreign(cut(tab.url), [], "ltr")));
    if (times.length > 0) made.append(element("p", "times", times.join(" · ")));
    made.append(historyList(tab));
    return made;
}

function historyList(tab) {
    const history = historyOf(tab);
    if (!history) return element("p", "nothing", noHistory(tab));
    const list = element("ol", "history");
    list.setAttribute("role", "list");
    list.setAttribute("aria-label", "History, oldest first");
    const add = (from, to) => history.entries.slice(from, to).forEach((entry, index) => {
        list.append(entryRow(entry, from + index === history.current));
    });
    // So many around the current one; all when asked.
    const from = Math.max(0, (history.current ?? 0) - SOME_ENTRIES / 2);
    const to = from + SOME_ENTRIES;
    add(from, to);
    const hidden = history.entries.length - list.childElementCount;
    if (hidden === 0) return list;
    const more = element("button", "more", counted(hidden, "more page"));
    more.type = "button";
    more.tabIndex = -1;
    more.dataset.stop = "";
    more.addEventListener("click", () => {
        list.replaceChildren();
        add(0, history.entries.length);
        list.querySelector("[data-stop]").focus();
        paintNow();
    });
    list.append(element("li", "", more));
    return list;
}

function noHistory(tab) {
    return tab.isHistoryUnreadable ? "The history could not be read." : "No history was saved.";
}

function entryRow(entry, isCurrent) {
    const title = entry.title.trim();
    const open = link(entry.url, "entry");
    open.dataset.stop = "";
    open.tabIndex = -1;
    open.append(
        element("span", "entry-name", title ? foreign(cut(title)) : shortAddress(entry.url)),
        element("span", "address", shortAddress(entry.url)));
    const row = element("li", isCurrent ? "current" : "", open);
    if (isCurrent) {
        open.setAttribute("aria-current", "page");
        open.append(element("span", "badge", "current"));
    }
    return row;
}

// While one searches, all that is found is shown, whether its group is folded or not.
function groupItem(group, count, total, view) {
    const isSearched = view.words.length > 0;
    return {
        group: isSearched ? null : group,
        height: () => heights.head,
        make: () => groupRow(group, isSearched ? share(count, total) : counted(total, "tab"), view),
    };
}

function groupRow(group, number, view) {
    const title = group.title.trim();
    const pill = element("span", title ? "pill" : "pill unnamed");
    pill.append(title ? foreign(title) : "Unnamed group");
    const count = element("span", "number", number);
    const row = element("li", "head group");
    row.dataset.colour = group.colour;
    if (view.words.length > 0) {
        row.append(element("div", "fold", pill, count));
        return row;
    }
    const fold = element("button", "fold", icon("chevron"), pill, count);
    fold.type = "button";
    fold.dataset.stop = "";
    fold.setAttribute("aria-expanded", !group.isFolded);
    giveTabStop(fold, group);
    row.append(fold);
    return row;
}

function headItem(title, count) {
    return {
        height: () => heights.head,
        make: () => element(
            "li", "head",
            element("h3", "", foreign(title), element("span", "number", NUMBER.format(count)))),
    };
}
