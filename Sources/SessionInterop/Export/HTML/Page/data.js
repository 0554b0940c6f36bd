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
    const kind = value.kind === "regular" && value.closedAt !== null ? "closed-window" : value.kind;
    return { ...value, kind, index, groups, tabs: [], read: 0, place: kindPlace(kind) };
}

function addTabs(values, session, all) {
    values.forEach((value, slot) => {
        const tab = {
            ...value, slot, session, index: all.length, place: session.tabs.length,
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

function windowName(session) {
    if (session.title.trim()) return session.title.trim();
    return session.number > 0 ? "Window " + session.number : "Closed tabs";
}
