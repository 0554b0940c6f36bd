// The two ways to look at the tabs: a board with a column for each window, where they are in their
// order and groups, and lists in another order, one for each kind of session.

const view = { words: [], order: "window", isSorted: false, wants: () => true, onlyDoubles: false };
const ROUGHLY = new Intl.Collator("en", { sensitivity: "base", numeric: true });
const orders = {};

const COMPARED = {
    use: (left, right) => right.lastActiveAt - left.lastActiveAt,
    title: (left, right) => !left.title - !right.title || ROUGHLY.compare(left.title, right.title),
    site: (left, right) =>
        isHost(right) - isHost(left) || ROUGHLY.compare(left.site, right.site),
};

function isHost(tab) {
    return tab.site !== "" && !tab.site.endsWith(":");
}

function sorted(order) {
    for (const tab of page.tabs) tab.site ??= siteOf(tab.url);
    orders[order] ??= [...page.tabs].sort(
        (left, right) => COMPARED[order](left, right) || left.index - right.index);
    return orders[order];
}

// Looks for the words of a text in all tabs; gives back how many have them.
function find(text) {
    view.words = fold(text).split(/\s+/).filter((word) => word !== "");
    let count = 0;
    for (const tab of page.tabs) {
        const isWanted = view.wants(tab.session) && (!view.onlyDoubles || tab.same !== null);
        const searched = view.words.length > 0 && isWanted ? searchedText(tab) : "";
        tab.isFound = isWanted && view.words.every((word) => searched.includes(word));
        if (tab.isFound) count++;
    }
    return count;
}

// Sessions by their kind, those that are kept apart last.
function sessionsByKind() {
    const kinds = Map.groupBy(page.sessions, (session) => session.kind);
    return [...kinds].sort((left, right) => kindPlace(left[0]) - kindPlace(right[0]));
}

let columns = [];

// Builds what stays while one searches.
function build() {
    rolls.clear();
    columns = [];
    view.isSorted = view.order !== "window";
    document.body.dataset.view = view.isSorted ? "list" : "board";
    const main = document.getElementById("tabs");
    main.replaceChildren(...sessionsByKind().map(
        ([kind, sessions]) => view.isSorted ? sortedSection(kind) : boardSection(kind, sessions)));
    const links = [...main.children].map((part) => part.link);
    document.getElementById("kinds").replaceChildren(...links);
    const isEmpty = page.tabs.length === 0;
    main.append(element(
        "p", "none", isEmpty ? "There are no tabs." : "No tab has all of these words."));
}

function section(kind) {
    const made = element("section", "kind");
    made.dataset.kind = kind.startsWith("incognito") ? "incognito" : kind;
    const title = element("h2", "", kindTitle(kind), element("span", "number"));
    title.id = "kind-" + kind;
    made.setAttribute("aria-labelledby", title.id);
    made.append(title);
    made.link = element("button", "", kindTitle(kind), element("span", "number"));
    made.link.type = "button";
    made.link.addEventListener("click", () => made.scrollIntoView());
    return made;
}

function boardSection(kind, sessions) {
    const made = section(kind);
    const all = element("div", "columns");
    for (const session of sessions) {
        const name = element("h3", "", foreign(windowName(session)));
        name.id = "window-" + session.index;
        name.title = foreignLine(windowName(session));
        const about = element("p", "");
        const column = element("article", "window", element("header", "", name, about));
        column.setAttribute("aria-labelledby", name.id);
        const roll = new Roll("Tabs of " + windowName(session), column);
        column.append(element("div", "scroller", roll.list));
        all.append(column);
        columns.push({ element: column, about, roll, section: made, sessions: [session] });
    }
    made.append(all);
    return made;
}

function sortedSection(kind) {
    const made = section(kind);
    const roll = new Roll(kindTitle(kind), made);
    made.append(roll.list);
    const sessions = page.sessions.filter((session) => session.kind === kind);
    columns.push({ element: made, roll, section: made, sessions, kind });
    return made;
}

// Shows what is found.
function show(count) {
    const main = document.getElementById("tabs");
    const found = new Map();
    for (const column of columns) {
        const tabs = view.isSorted
            ? sorted(view.order).filter((tab) => tab.isFound && tab.session.kind === column.kind)
            : column.sessions[0].tabs.filter((tab) => tab.isFound);
        const total = column.sessions.reduce((sum, session) => sum + session.tabs.length, 0);
        const isChosen = column.sessions.some(view.wants);
        const isNarrowed = view.words.length > 0 || view.onlyDoubles;
        column.element.hidden = !isChosen || (tabs.length === 0 && isNarrowed);
        if (column.about) column.about.textContent = aboutWindow(column.sessions[0], tabs.length);
        column.roll.show(view.isSorted ? sortedItems(tabs) : boardItems(column.sessions[0], tabs));
        const sums = found.get(column.section) ?? [0, 0, false];
        found.set(column.section, [
            sums[0] + tabs.length, sums[1] + total, sums[2] || !column.element.hidden]);
    }
    for (const [part, [some, total, isShown]] of found) {
        part.hidden = !isShown;
        part.querySelector("h2 .number").textContent = share(some, total);
        part.link.hidden = !isShown;
        part.link.querySelector(".number").textContent = NUMBER.format(some);
    }
    document.getElementById("kinds").hidden = found.size < 2;
    // While one searches, no column changes its width.
    main.dataset.columns = columns.filter((column) => column.sessions.some(view.wants)).length;
    const isAsked = view.words.length > 0 || columns.length === 0;
    main.querySelector(".none").hidden = count > 0 || !isAsked;
    document.getElementById("count").textContent = share(count, page.tabs.length);
    paintNow();
}

function aboutWindow(session, found) {
    const parts = [share(found, session.tabs.length)];
    if (session.groups.length > 0) parts.push(counted(session.groups.length, "group"));
    const used = told(DAY, session.lastActiveAt);
    const closed = session.closedAt === null ? "" : told(DAY, session.closedAt);
    if (closed) parts.push("closed " + closed);
    else if (used) parts.push("used " + used);
    return parts.join(" · ");
}

function boardItems(session, tabs) {
    const items = [];
    const counts = new Map();
    for (const tab of tabs) counts.set(tab.group, (counts.get(tab.group) ?? 0) + 1);
    let group = null;
    for (const tab of tabs) {
        if (tab.group && tab.group !== group) {
            items.push(groupItem(tab.group, counts.get(tab.group), tab.group.tabs, view));
        }
        group = tab.group;
        const isHidden = group?.isFolded && view.words.length === 0 && !view.onlyDoubles;
        if (!isHidden) items.push(tabItem(tab, view));
    }
    return items;
}

function sortedItems(tabs) {
    const headOf = {
        use: (tab) => period(tab.lastActiveAt, page.exportedAt),
        site: (tab) => tab.site || "No address",
    }[view.order];
    if (!headOf) return tabs.map((tab) => tabItem(tab, view));
    const items = [];
    for (const [head, members] of Map.groupBy(tabs, headOf)) {
        items.push(headItem(head, members.length));
        for (const tab of members) items.push(tabItem(tab, view));
    }
    return items;
}
