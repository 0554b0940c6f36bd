// A long list of which only what can be seen is in the document. Items have a key, a height and a
// function that makes their element; heights of unfolded ones are measured once they are shown.

const OVERSCAN = 400;
const rolls = new Set();

class Roll {
    // - Parameter column: the element around it, which is hidden with it.
    constructor(label, column) {
        this.column = column;
        this.list = element("ol", "roll");
        this.list.setAttribute("role", "list");
        this.list.setAttribute("aria-label", label);
        this.list.roll = this;
        this.shown = new Map();
        this.show([]);
        rolls.add(this);
    }

    // Replaces all items.
    show(items) {
        this.items = items;
        this.list.replaceChildren();
        this.shown.clear();
        this.measure(0);
    }

    // Items change their heights from an index on.
    measure(from) {
        if (!this.tops || this.tops.length !== this.items.length + 1) {
            this.tops = new Float64Array(this.items.length + 1);
            from = 0;
        }
        for (let index = from; index < this.items.length; index++) {
            this.tops[index + 1] = this.tops[index] + this.items[index].height();
        }
        this.list.style.height = this.tops[this.items.length] + "px";
        for (const [index, row] of this.shown) row.style.top = this.tops[index] + "px";
    }

    // The index of the item at a distance from the beginning.
    indexAt(distance) {
        let low = 0;
        let high = this.items.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.tops[middle + 1] <= distance) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    // What of the list is in the window or so near to it: from one index to before another.
    visible(margin) {
        // Of a column that cannot be seen nothing inside is looked at, which would lay it out.
        if (this.column.hidden || this.items.length === 0
            || !isNear(this.column.getBoundingClientRect(), margin)) return [0, 0];
        const box = this.list.getBoundingClientRect();
        const from = this.indexAt(Math.max(0, -margin - box.top));
        const to = this.indexAt(Math.max(0, innerHeight + margin - box.top)) + 1;
        return [from, Math.min(to, this.items.length)];
    }

    paint([from, to]) {
        const focused = document.activeElement?.closest(".roll > li");
        for (const [index, row] of this.shown) {
            if ((index >= from && index < to) || row === focused) continue;
            row.remove();
            this.shown.delete(index);
        }
        let after = this.list.firstElementChild;
        for (let index = from; index < to; index++) {
            // The focused one may be far from the others.
            while (after && after.index < index) after = after.nextElementSibling;
            if (!this.shown.has(index)) this.list.insertBefore(this.make(index), after);
        }
    }

    make(index) {
        const row = this.items[index].make();
        row.index = index;
        row.style.top = this.tops[index] + "px";
        row.setAttribute("aria-posinset", index + 1);
        row.setAttribute("aria-setsize", this.items.length);
        this.shown.set(index, row);
        return row;
    }

    // The element of an item, also of one that is far away.
    row(index) {
        if (!this.shown.has(index)) {
            const after = [...this.shown.keys()].filter((each) => each > index);
            const next = after.length > 0 ? this.shown.get(Math.min(...after)) : null;
            this.list.insertBefore(this.make(index), next);
        }
        return this.shown.get(index);
    }

    // Makes one item anew, and keeps the focus where it was.
    renew(index) {
        const old = this.shown.get(index);
        if (!old) return;
        const hadFocus = old.contains(document.activeElement);
        const row = this.make(index);
        old.replaceWith(row);
        if (hadFocus) row.querySelector("[data-stop]").focus({ preventScroll: true });
        this.measure(index);
        settle(this, row);
        this.paint(this.visible(OVERSCAN));
    }
}

function isNear(box, margin) {
    return box.right >= -margin && box.left <= innerWidth + margin
        && box.bottom >= -margin && box.top <= innerHeight + margin;
}

// Takes over the height that an unfolded row has of itself.
function settle(roll, row) {
    const item = roll.items[row.index];
    if (item.tab?.isUnfolded && item.settle(row.offsetHeight)) roll.measure(row.index);
}

let isPaintAsked = false;

function paintSoon() {
    if (isPaintAsked) return;
    isPaintAsked = true;
    requestAnimationFrame(() => {
        isPaintAsked = false;
        paintNow(OVERSCAN);
    });
}

// Looks at all places first and writes then, so that the browser lays out once. What is beyond the
// window waits until the rest is seen.
function paintNow(margin = 0) {
    if (margin === 0) requestAnimationFrame(() => setTimeout(paintSoon));
    const parts = [...rolls].map((roll) => [roll, roll.visible(margin)]);
    for (const [roll, part] of parts) roll.paint(part);
    for (const [roll] of parts) {
        for (const row of roll.shown.values()) settle(roll, row);
    }
}
