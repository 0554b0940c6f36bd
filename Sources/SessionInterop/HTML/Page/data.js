// What the page holds: blocks of JSON in the order of the file. A block of tabs is followed by the
// block of their histories, which is read only when one of them is unfolded.

const COLOURS = ["grey", "blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange"];

const KINDS = {
    "regular": { title: "Windows", of: "" },
    "library": { title: "Spaces", of: "spaces" },
    "closed-window": { title: "Closed windows", of: "closed window" },
    "inactive": { title: "Inactive", of: "inactive tabs" },
    "set-aside": { title: "Set aside after a crash", of: "set aside" },
    "backup": { title: "Closed together", of: "closed together" },
    "recently-closed": { title: "Recently closed", of: "recently closed" },
    "incognito": { title: "Incognito", of: "incognito" },
};
const KIND_ORDER = Object.keys(KINDS);

// Other kinds of a host come between those that are known and incognito.
function kindPlace(kind) {
    if (kind.startsWith("incognito")) return kind === "incognito" ? 98 : 99;
    const place = KIND_ORDER.indexOf(kind);
    return place < 0 ? 50 : place;
}

function kindTitle(kind) {
    return KINDS[kind]?.title ?? kind;
}

function readBlocks() {
    const page = { sessions: [], tabs: [] };
    for (const block of document.querySelectorAll("script[data-part]")) {
        const session = page.sessions[page.sessions.length - 1];
        const part = block.dataset.part;
        if (part === "histories") {
            for (const tab of session.tabs.slice(session.read)) tab.histories = block;
            session.read = session.tabs.length;
            continue;
        }
        const value = JSON.parse(block.textContent);
        if (part === "page") Object.assign(page, value);
        if (part === "session") page.sessions.push(newSession(value, page.sessions.length));
        if (part === "tabs") addTabs(value, session, page.tabs);
    }
    return page;
}

function newSession(value, index) {
    const groups = value.groups.map((group) => ({
        ...group, isFolded: group.isCollapsed, colour: COLOURS[group.color] ?? "other",
    }));
    const isOnRecord = value.kind === "regular";
    const kind = isOnRecord && value.closedAt !== null ? "closed-window"
        : isOnRecord && value.isSpace ? "library" : value.kind;
    return { ...value, kind, index, groups, tabs: [], read: 0, place: kindPlace(kind) };
}

function addTabs(values, session, all) {
    values.forEach((value, slot) => {
        const tab = {
            ...value, slot, session, index: all.length, place: session.tabs.length,
            same: null,
            group: value.group === null ? null : session.groups[value.group], isUnfolded: false,
        };
        session.tabs.push(tab);
        all.push(tab);
    });
}

// A tab's history; null where none was saved or it could not be read.
function historyOf(tab) {
    const block = tab.histories;
    if (!block) return null;
    block.histories ??= JSON.parse(block.textContent);
    return block.histories[tab.slot];
}

// What a search looks into: made when first asked for.
function searchedText(tab) {
    tab.searched ??= fold(tab.title) + "\n" + searchedAddress(tab.url);
    return tab.searched;
}

// Also the address as people read it, where letters are written as numbers in it.
function searchedAddress(address) {
    const folded = fold(address);
    if (!address.includes("%")) return folded;
    try {
        return folded + "\n" + fold(decodeURI(address));
    } catch {
        return folded;
    }
}

// A window without a name of its own goes by the tab that it shows.
function windowName(session) {
    if (session.title.trim()) return session.title.trim();
    if (session.number === 0) return "Closed tabs";
    const own = "Window " + session.number;
    if (!["regular", "closed-window", "incognito"].includes(session.kind)) return own;
    const shown = session.tabs.find((tab) => tab.isActive) ?? session.tabs[0];
    const title = shown ? cut(shown.title.trim() || siteOf(shown.url), 200) : "";
    return title ? own + ": " + title : own;
}

// Whether the tabs of a session are open.
function isOpen(session) {
    return ["regular", "library"].includes(session.kind) || session.kind.startsWith("incognito");
}

// Notes of each open tab which others have its address. Pages of the browser itself do not count.
function findDoubles(tabs) {
    const byAddress = new Map();
    for (const tab of tabs) {
        if (!isOpen(tab.session) || !/^(https?|ftp):/i.test(tab.url)) continue;
        const same = byAddress.get(tab.url);
        if (same) same.push(tab);
        else byAddress.set(tab.url, [tab]);
    }
    let count = 0;
    for (const same of byAddress.values()) {
        if (same.length < 2) continue;
        count += 1;
        for (const tab of same) tab.same = same;
    }
    return count;
}
