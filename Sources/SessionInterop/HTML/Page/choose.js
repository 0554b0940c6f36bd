// Tabs that were chosen, and what is copied of them: addresses as text, and links with their titles.

const chosen = new Set();

function choose(row) {
    const roll = row.parentElement.roll;
    const { tab } = roll.items[row.index];
    if (!tab) return;
    if (!chosen.delete(tab)) chosen.add(tab);
    roll.renew(row.index);
    showChosen();
}

// Chooses all that is found, or none of it if all of it is chosen.
function chooseFound() {
    const found = page.tabs.filter((tab) => tab.isFound);
    const isAll = found.every((tab) => chosen.has(tab));
    for (const tab of found) {
        if (isAll) chosen.delete(tab);
        else chosen.add(tab);
    }
    renewChosen();
}

function chooseNone() {
    chosen.clear();
    renewChosen();
}

// Rows that are shown learn whether they are chosen.
function renewChosen() {
    for (const roll of rolls) {
        for (const index of [...roll.shown.keys()]) if (roll.items[index].tab) roll.renew(index);
    }
    showChosen();
}

function showChosen() {
    document.getElementById("chosen").hidden = chosen.size === 0;
    document.getElementById("chosen-count").textContent = counted(chosen.size, "tab") + " chosen";
}

// The chosen tabs in the order of the page.
function chosenTabs() {
    return page.tabs.filter((tab) => chosen.has(tab));
}

let copying = null;

// Copies the links of tabs. A text is chosen for it, since browsers copy nothing else without a question.
function copyLinks(tabs) {
    if (tabs.length === 0) return;
    const before = document.activeElement;
    const dummy = element("p", "dummy", "links");
    document.body.append(dummy);
    getSelection().selectAllChildren(dummy);
    copying = tabs;
    const isDone = document.execCommand("copy");
    copying = null;
    getSelection().removeAllRanges();
    dummy.remove();
    before?.focus({ preventScroll: true });
    const words = isDone ? counted(tabs.length, "link") + " copied" : "The browser copies nothing here";
    document.getElementById("said").textContent = words;
    setTimeout(() => { document.getElementById("said").textContent = ""; }, 3000);
}

// Also the browser's own command copies what is chosen, unless a text is.
function copied(event) {
    const isOfText = !getSelection().isCollapsed || event.target.matches?.("input");
    const tabs = copying ?? (isOfText ? [] : chosenTabs());
    if (tabs.length === 0) return;
    const list = element("ul", "");
    for (const tab of tabs) {
        const item = link(tab.url, "");
        item.append(tab.title.trim() || tab.url);
        list.append(element("li", "", item));
    }
    event.clipboardData.setData("text/plain", tabs.map((tab) => tab.url + "\n").join(""));
    event.clipboardData.setData("text/html", new XMLSerializer().serializeToString(list));
    event.preventDefault();
}

// The link of a row, or of all that is chosen.
function copyFrom(row) {
    const tab = row?.parentElement.roll.items[row.index].tab;
    copyLinks(chosen.size > 0 ? chosenTabs() : tab ? [tab] : []);
}
