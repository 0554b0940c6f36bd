// The keyboard: one row at a time is a stop of the Tab key, and the arrows move between rows.

// The tab or group whose row it is.
let stop = null;

function giveTabStop(control, subject) {
    stop ??= subject;
    control.tabIndex = subject === stop ? 0 : -1;
}

function subjectOf(item) {
    return item.tab ?? item.group;
}

function rowOf(node) {
    return node?.closest?.(".roll > li") ?? null;
}

// After a search: the first row is the stop if the one before is not there.
function keepStop() {
    const all = shownRolls();
    if (all.some((roll) => roll.items.some((item) => subjectOf(item) === stop))) return;
    const first = all.flatMap((roll) => roll.items.slice(0, 3)).find(subjectOf);
    moveStop(first ? subjectOf(first) : null);
}

function moveStop(subject) {
    stop = subject;
    for (const roll of rolls) {
        for (const [index, row] of roll.shown) {
            const control = row.querySelector("[data-stop]");
            if (control) control.tabIndex = subjectOf(roll.items[index]) === stop ? 0 : -1;
        }
    }
}

function shownRolls() {
    return [...rolls].filter((roll) => roll.items.length > 0 && !roll.column.hidden);
}

// Brings a row into sight and the focus to it; to its last control when one comes from below.
function goTo(roll, index, isFromBelow = false) {
    const row = roll.row(index);
    moveStop(subjectOf(roll.items[index]));
    const controls = row.querySelectorAll("[data-stop]");
    const control = controls[isFromBelow ? controls.length - 1 : 0];
    control.focus({ preventScroll: true });
    (control.classList.contains("entry") ? control : row)
        .scrollIntoView({ block: "nearest", inline: "nearest" });
    paintNow();
}

// The next row that can be a stop, also of another list; nothing at the ends.
function goFrom(roll, index, step) {
    const all = shownRolls();
    let place = all.indexOf(roll);
    while (place >= 0 && place < all.length) {
        const items = all[place].items;
        for (; index >= 0 && index < items.length; index += step) {
            if (subjectOf(items[index])) return goTo(all[place], index, step < 0);
        }
        place += step;
        index = step > 0 ? 0 : (all[place]?.items.length ?? 0) - 1;
    }
}

function goToStop() {
    for (const roll of shownRolls()) {
        const index = roll.items.findIndex((item) => subjectOf(item) === stop);
        if (index >= 0) return goTo(roll, index);
    }
}

function step(row, by) {
    const controls = [...row.querySelectorAll("[data-stop]")];
    const next = controls[controls.indexOf(document.activeElement) + by];
    if (!next) return goFrom(row.parentElement.roll, row.index + by, by);
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
}

// To the neighbouring window: at the same height if it is beside, to its first tab if below.
function stepAside(row, by) {
    const roll = row.parentElement.roll;
    const all = shownRolls();
    const other = all[all.indexOf(roll) + by];
    if (!other) return;
    const [here, there] = [roll.list, other.list].map((list) => list.getBoundingClientRect());
    const isBeside = here.left !== there.left;
    const distance = Math.max(0, row.getBoundingClientRect().top - there.top);
    const index = isBeside ? other.indexAt(distance) : 0;
    goFrom(other, Math.min(index, other.items.length - 1), 1);
}

function leap(row, by) {
    const roll = row.parentElement.roll;
    const index = Math.min(Math.max(row.index + by, 0), roll.items.length - 1);
    goFrom(roll, index, by < 0 && index > 0 ? -1 : 1);
}

function toggle(row) {
    const roll = row.parentElement.roll;
    const { tab, group } = roll.items[row.index];
    if (group) {
        group.isFolded = !group.isFolded;
        moveStop(group);
        show(find(query.value));
        goToStop();
    } else if (tab) {
        tab.isUnfolded = !tab.isUnfolded;
        roll.renew(row.index);
        roll.row(row.index).scrollIntoView({ block: "nearest" });
    }
}

const MOVES = {
    ArrowDown: (row) => step(row, 1), j: (row) => step(row, 1),
    ArrowUp: (row) => step(row, -1), k: (row) => step(row, -1),
    ArrowRight: (row) => stepAside(row, 1), ArrowLeft: (row) => stepAside(row, -1),
    PageDown: (row) => leap(row, 10), PageUp: (row) => leap(row, -10),
    Home: (row) => leap(row, -Infinity), End: (row) => leap(row, Infinity),
    h: (row) => toggle(row), x: (row) => choose(row), c: (row) => copyFrom(row),
};

function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { key, target } = event;
    const row = rowOf(target);
    const isTyping = target === query;
    const isControl = !isTyping && target.closest("input, select, summary");
    if (key === "Escape") escape(row);
    else if (key === "/" && !isTyping) focusQuery();
    else if (isTyping && (key === "ArrowDown" || key === "Enter")) goToStop();
    else if (isTyping || isControl) return;
    else if (key === "X") chooseFound();
    else if (key === "c" && !row) copyFrom(null);
    else if (row && MOVES[key]) MOVES[key](row);
    else if (!row && ["j", "k", "ArrowDown", "ArrowUp"].includes(key)) goToStop();
    else if (key === "Enter" && target.matches(".open:not([href])")) toggle(row);
    else return;
    event.preventDefault();
}

// Clears the search; without one, folds the history and goes back to its tab; else chooses nothing.
function escape(row) {
    if (query.value !== "") {
        query.value = "";
        search();
        focusQuery();
        return;
    }
    const item = row?.parentElement.roll.items[row.index];
    if (item?.tab?.isUnfolded) toggle(row);
    else chooseNone();
}

function focusQuery() {
    query.focus();
    query.select();
}
