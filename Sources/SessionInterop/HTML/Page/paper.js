// What is printed: every window one after the other, or what is found of them.

function fillPaper() {
    const paper = document.getElementById("paper");
    const isSearched = view.words.length > 0;
    const head = element("header", "", element("h1", "", foreign(page.title)));
    head.append(element("p", "", aboutPage()));
    if (isSearched) {
        const count = share(page.tabs.filter((tab) => tab.isFound).length, page.tabs.length);
        head.append(element("p", "", count + " with ", foreign(query.value)));
    }
    paper.replaceChildren(head);
    for (const [kind, sessions] of sessionsByKind()) {
        const parts = sessions.map(paperWindow).filter((part) => part !== null);
        if (parts.length > 0) paper.append(element("h2", "", kindTitle(kind)), ...parts);
    }
    paper.hidden = false;
}

function paperWindow(session) {
    const tabs = session.tabs.filter((tab) => tab.isFound);
    if (tabs.length === 0) return null;
    const list = element("ol", "");
    let group = null;
    for (const tab of tabs) {
        if (tab.group && tab.group !== group) {
            const head = element("li", "group", foreign(tab.group.title.trim() || "Unnamed group"));
            head.dataset.colour = tab.group.colour;
            list.append(head);
        }
        group = tab.group;
        const marks = [tab.isPinned ? "pinned" : "", tab.isActive ? "active" : ""];
        const name = link(tab.url, "name");
        name.append(tab.title.trim() ? foreign(cut(tab.title.trim())) : untitled(tab));
        const row = element("li", "", name);
        for (const mark of marks.filter((each) => each !== "")) {
            name.append(element("span", "badge", mark));
        }
        row.append(element("span", "address", foreign(cut(tab.url), [], "ltr")));
        if (group) row.dataset.colour = group.colour;
        list.append(row);
    }
    const about = element("p", "", aboutWindow(session, tabs.length));
    return element("section", "", element("h3", "", foreign(windowName(session))), about, list);
}

function clearPaper() {
    const paper = document.getElementById("paper");
    paper.hidden = true;
    paper.replaceChildren();
}
