// Begins: reads what the page holds, shows it, and listens.

const page = readBlocks();
const query = document.getElementById("query");

for (const tab of page.tabs) {
    if (tab.group) tab.group.tabs = (tab.group.tabs ?? 0) + 1;
}

const doubles = findDoubles(page.tabs);

function aboutPage() {
    const time = told(DAY, page.exportedAt);
    const numbers = (sessions) => new Set(sessions.map((each) => each.number)).size;
    const open = page.sessions.filter((each) => each.kind !== "library" && isOpen(each));
    const closed = page.sessions.filter((each) => each.kind === "closed-window");
    const parts = [counted(numbers(open), "window") + " open"];
    if (closed.length > 0) parts.push(NUMBER.format(numbers(closed)) + " closed");
    if (doubles > 0) parts.push(counted(doubles, "address", "addresses") + " open twice");
    if (time) parts.push("written " + time);
    return parts.join(" · ");
}

function search() {
    const count = find(query.value);
    show(count);
    keepStop();
}

function showOrder(order) {
    view.order = order;
    stop = null;
    build();
    measureAgain();
    search();
}

// Rows have other heights after the size of the window or of the text has changed.
function measureAgain() {
    measureRows();
    for (const tab of page.tabs) tab.unfoldedHeight = undefined;
    for (const roll of rolls) roll.measure(0);
}

function fillWindows() {
    const select = document.getElementById("window");
    select.append(new Option("All windows", ""));
    for (const [kind, sessions] of sessionsByKind()) {
        const group = element("optgroup");
        group.label = kindTitle(kind);
        if (sessions.length > 1) group.append(new Option("All: " + kindTitle(kind), "of " + kind));
        for (const session of sessions) {
            const name = foreignLine(windowName(session)) + " (" + session.tabs.length + ")";
            group.append(new Option(name, session.index));
        }
        select.append(group);
    }
    if (doubles > 0) select.append(new Option("Same address twice", "doubles"));
    select.hidden = select.length < 3;
    select.addEventListener("change", () => {
        const wanted = select.value;
        view.onlyDoubles = wanted === "doubles";
        view.wants = (session) => wanted === "" || view.onlyDoubles
            || wanted === String(session.index) || wanted === "of " + session.kind;
        search();
    });
}

function fillLosses() {
    const losses = [...page.losses];
    for (const session of page.sessions) {
        for (const loss of session.losses) losses.push(windowName(session) + ": " + loss);
    }
    const unreadable = page.tabs.filter((tab) => tab.isHistoryUnreadable).length;
    if (unreadable === 1) losses.push("The history of one tab could not be read.");
    if (unreadable > 1) losses.push("The histories of " + unreadable + " tabs could not be read.");
    const box = document.getElementById("losses");
    box.hidden = losses.length === 0;
    box.open = losses.length < 4;
    box.querySelector("summary").textContent = losses.length === 1
        ? "Something could not be read" : losses.length + " things could not be read";
    box.querySelector("ul").append(...losses.map((loss) => element("li", "", foreign(loss))));
}

function listenToColours() {
    const dark = document.getElementById("dark");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const tell = () => dark.setAttribute("aria-checked", isDark());
    const isDark = () => document.documentElement.dataset.colours
        ? document.documentElement.dataset.colours === "dark" : system.matches;
    dark.addEventListener("click", () => {
        document.documentElement.dataset.colours = isDark() ? "light" : "dark";
        tell();
    });
    system.addEventListener("change", tell);
    tell();
}

function listen() {
    query.addEventListener("input", search);
    document.getElementById("order").addEventListener(
        "change", (event) => showOrder(event.target.value));
    document.addEventListener("keydown", pressed);
    document.addEventListener("scroll", paintSoon, { capture: true, passive: true });
    document.addEventListener("click", (event) => {
        const button = event.target.closest?.(".unfold, .fold");
        if (button && rowOf(button)) toggle(rowOf(button));
        const mark = event.target.closest?.(".pick");
        if (mark) choose(rowOf(mark));
    });
    document.addEventListener("copy", copied);
    document.getElementById("copy").addEventListener("click", () => copyLinks(chosenTabs()));
    document.getElementById("choose-found").addEventListener("click", chooseFound);
    document.getElementById("choose-none").addEventListener("click", chooseNone);
    document.addEventListener("focusin", (event) => {
        const row = rowOf(event.target);
        const subject = row && subjectOf(row.parentElement.roll.items[row.index]);
        if (subject && subject !== stop) moveStop(subject);
    });
    addEventListener("resize", () => {
        measureAgain();
        paintNow();
    });
    addEventListener("beforeprint", fillPaper);
    addEventListener("afterprint", clearPaper);
    matchMedia("print").addEventListener(
        "change", (event) => event.matches ? fillPaper() : clearPaper());
}

function begin() {
    document.getElementById("title").append(foreign(page.title));
    document.getElementById("about").textContent = aboutPage();
    for (const id of ["bar", "tabs", "keys"]) document.getElementById(id).hidden = false;
    fillWindows();
    fillLosses();
    listenToColours();
    showOrder("window");
    listen();
    // Before the first key, so that it waits for nothing.
    setTimeout(() => page.tabs.forEach(searchedText));
}

begin();
