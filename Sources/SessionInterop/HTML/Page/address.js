// Addresses: which may be links, and how they are shown.

const LINKED = ["http:", "https:", "ftp:"];

function parsed(address) {
    try {
        return new URL(address);
    } catch {
        return null;
    }
}

// Where a link to an address may lead; null if it is to be shown as text only.
function target(address) {
    const url = parsed(address);
    return url && LINKED.includes(url.protocol) ? url.href : null;
}

// A link that tells the other side nothing; text where there must be no link.
function link(address, className) {
    const href = target(address);
    const made = element(href ? "a" : "span", className);
    if (href) {
        made.href = href;
        made.target = "_blank";
        made.rel = "noreferrer noopener";
    }
    return made;
}

// The site of an address: its host without "www."; the scheme where there is no host.
function siteOf(address) {
    const url = parsed(address);
    if (!url) return "";
    return url.host.replace(/^www\./, "") || url.protocol;
}

// Where the part that tells most begins and ends: without scheme, "www." and a lone slash.
function shownPart(address) {
    const start = /^https?:\/\/(www\.)?/i.exec(address)?.[0].length ?? 0;
    const end = /^[^/?#]*\/$/.test(address.slice(start)) ? address.length - 1 : address.length;
    return [start, end];
}

// The address in short, with found ranges of the whole marked.
function shortAddress(address, ranges = [], room = Infinity) {
    const [start, end] = shownPart(address);
    const inside = ranges
        .map((range) => [Math.max(range[0], start) - start, Math.min(range[1], end) - start])
        .filter((range) => range[0] < range[1]);
    return foreign(...excerpt(address.slice(start, end), inside, room), "ltr");
}
