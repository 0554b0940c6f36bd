// Texts: how they are compared, which parts of them are found, and how they are shown.

// Marks that change no letter, and characters that show nothing. Marks without which a word is
// another one (of Indic scripts, of Thai, the voicing of kana) stay.
const IGNORED = new RegExp("[" + [
    "\\u0300-\\u036f\\u0483-\\u0489", "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8",
    "\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f",
    "\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb",
    "\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f",
].join("") + "]", "g");
const LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
    "ħ": "h", "ı": "i", "ŧ": "t", "ς": "σ",
};
const LETTER = new RegExp("[" + Object.keys(LETTERS).join("") + "]", "g");
const ASCII = /^[\x20-\x7e]*$/;

// Without case, marks and characters that show nothing: "Żółć" and "zolc" are equal then.
function fold(text) {
    if (ASCII.test(text)) return text.toLowerCase();
    return text.normalize("NFKD").toLowerCase().replace(IGNORED, "")
        .replace(LETTER, (letter) => LETTERS[letter]);
}

// The folded text, and for each of its characters where it begins in the text itself.
function foldWithPlaces(text) {
    let folded = "";
    const places = [];
    let place = 0;
    for (const character of text) {
        const part = fold(character);
        folded += part;
        for (let index = 0; index < part.length; index++) places.push(place);
        place += character.length;
    }
    return { folded, places };
}

// As much of a text as anybody reads. Some addresses hold whole pictures.
function cut(text, length = 4000) {
    return text.length > length ? text.slice(0, length) + "…" : text;
}

// Where words are in the beginning of a text: ranges that ascend and do not touch.
function rangesOf(words, text) {
    if (words.length === 0) return [];
    const { folded, places } = foldWithPlaces(cut(text));
    const found = [];
    for (const word of words) {
        for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
            let end = at + word.length;
            while (end < places.length && places[end] === places[end - 1]) end++;
            found.push([places[at], end < places.length ? places[end] : text.length]);
        }
    }
    found.sort((left, right) => left[0] - right[0]);
    const ranges = [];
    for (const range of found) {
        const last = ranges[ranges.length - 1];
        if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
        else ranges.push(range);
    }
    return ranges;
}

// Characters that could hide something or reorder what is beside them. They are never put into the
// page: their numbers stand for them. Line ends and tabs are blanks.
const CONTROL = new RegExp("[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\u200b\\u2028-\\u202e"
    + "\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb]");

// No line shows more characters.
const SHOWN = 500;

function codeOf(character) {
    return "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

// A new element. Texts become text nodes, and nothing else.
function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    for (const child of children) made.append(child);
    return made;
}

function icon(name) {
    const space = "http://www.w3.org/2000/svg";
    const image = document.createElementNS(space, "svg");
    image.setAttribute("class", "icon");
    image.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", "#" + name);
    image.append(use);
    return image;
}

// Shows a text that comes from a session, apart from what is around it, with found ranges marked.
function foreign(text, ranges = [], direction = "auto") {
    const isolated = element("bdi");
    isolated.dir = direction;
    let place = 0;
    const add = (end, parent) => {
        let plain = "";
        for (; place < end; place++) {
            if (!CONTROL.test(text[place])) {
                plain += text[place];
                continue;
            }
            parent.append(plain, element("span", "control", codeOf(text[place])));
            plain = "";
        }
        parent.append(plain);
    };
    for (const [start, end] of ranges.filter((range) => range[1] <= text.length)) {
        add(start, isolated);
        const mark = element("mark");
        add(end, mark);
        isolated.append(mark);
    }
    add(text.length, isolated);
    return isolated;
}

// What a line shows of a text: its beginning, or the part in which something was found if that
// would not be seen otherwise; and the ranges in it.
function excerpt(text, ranges, room) {
    const first = ranges[0];
    if (!first || first[1] <= room) return [cut(text, SHOWN), ranges];
    let start = Math.max(0, first[0] - Math.floor(room / 3));
    // At the beginning of a word, or at least of a character.
    const blank = text.slice(start, first[0]).search(/\s\S/);
    if (blank >= 0) start += blank + 1;
    else if (/[\udc00-\udfff]/.test(text[start])) start--;
    const moved = ranges.map((range) => range.map((at) => at - start + 1));
    return ["…" + cut(text.slice(start), SHOWN), moved];
}

// For an attribute, where no element can isolate.
function foreignLine(text) {
    const shown = [...cut(text, SHOWN)].map((each) => CONTROL.test(each) ? codeOf(each) : each);
    return "\u2068" + shown.join("") + "\u2069";
}
