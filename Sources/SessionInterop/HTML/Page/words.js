// Numbers and times in words.

const NUMBER = new Intl.NumberFormat("en");
const DATE = { day: "numeric", month: "short", year: "numeric" };
const DAY = new Intl.DateTimeFormat("en-GB", DATE);
const MOMENT = new Intl.DateTimeFormat("en-GB", { ...DATE, hour: "2-digit", minute: "2-digit" });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const LONG_DAY = new Intl.DateTimeFormat("en-GB", {
    weekday: "long", day: "numeric", month: "long", year: "numeric",
});
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" });

function counted(count, one, many = one + "s") {
    return NUMBER.format(count) + " " + (count === 1 ? one : many);
}

// "12 of 2,013 tabs", or "2,013 tabs" where all are shown.
function share(count, total) {
    return count === total
        ? counted(total, "tab") : NUMBER.format(count) + " of " + counted(total, "tab");
}

// Times are in microseconds; 0 is unknown, and some are beyond every calendar.
function date(time) {
    const made = new Date(time / 1000);
    return time === 0 || Number.isNaN(made.getTime()) ? null : made;
}

function told(format, time) {
    const known = date(time);
    return known ? format.format(known) : "";
}

// Whether a moment is in the fortnight before the export, or after it.
function isRecent(time, exportedAt) {
    return exportedAt - time < 14 * 86_400_000_000;
}

// The day of a recent moment, the month of an earlier one.
function period(time, exportedAt) {
    const known = date(time);
    if (!known) return "Time unknown";
    return (isRecent(time, exportedAt) ? LONG_DAY : MONTH).format(known);
}
