"""Writes session.plist beside it: a keyed archive of a window, made with Python's plistlib."""
import pathlib
import plistlib
from plistlib import UID

objects = ["$null"]


def add(value):
    objects.append(value)
    return UID(len(objects) - 1)


def cls(*names):
    return add({"$classname": names[0], "$classes": list(names)})


WINDOW = cls("SessionWindowIOS", "NSObject")
TAB = cls("CRWSessionStorage", "NSObject")
ENTRY = cls("CRWNavigationItemStorage", "NSObject")
DATA = cls("CRWSessionUserData", "NSObject")
GROUP = cls("SessionTabGroup", "NSObject")
CERTIFICATES = cls("CRWSessionCertificatePolicyCacheStorage", "NSObject")
ARRAY = cls("NSArray", "NSObject")
DICTIONARY = cls("NSDictionary", "NSObject")
MUTABLE_STRING = cls("NSMutableString", "NSString", "NSObject")

# 2022-03-01 12:00:00 UTC, in microseconds since 1601.
TIME = (1_646_136_000 + 11_644_473_600) * 1_000_000


def array(members):
    return add({"$class": ARRAY, "NS.objects": members})


def dictionary(members):
    return add({
        "$class": DICTIONARY,
        "NS.keys": [add(key) for key in members],
        "NS.objects": [add(value) for value in members.values()],
    })


def entry(url, title, minutes, virtual=None, referrer=None, headers=None, agent="MOBILE"):
    fields = {
        "$class": ENTRY,
        "urlString": url.encode(),
        "referrerPolicy": 1,
        "timestamp": TIME + minutes * 60_000_000,
        "title": add(title),
        "userAgentType": agent.encode(),
        "httpHeaders": dictionary(headers) if headers else UID(0),
    }
    if virtual:
        fields["virtualUrlString"] = virtual.encode()
    if referrer:
        fields["referrerUrlString"] = referrer.encode()
    return add(fields)


def tab(number, entries, current, data=None, **fields):
    values = {
        "$class": TAB,
        "openedByDOM": False,
        "lastCommittedItemIndex": current,
        "entries": array(entries),
        "certificatePolicyCacheStorage": add({"$class": CERTIFICATES}),
        "userAgentKey": b"AUTOMATIC",
        "stableIdentifier": add(f"00000000-0000-4000-8000-{number:012d}"),
        "uniqueIdentifier": number,
        "creationTime": TIME,
        "lastActiveTime": TIME + number * 1_000_000,
    }
    if data:
        values["serializedUserData"] = add({"$class": DATA, "$0": dictionary(data)})
    values.update(fields)
    return add(values)


tabs = [
    tab(101, [entry("https://one.example.org/", "One", 0)], 0, {"PinnedState": True}),
    tab(102, [
        entry("https://two.example.org/a", "Two – first", 1),
        entry("https://two.example.org/b", "Zwei 🍞", 2, referrer="https://two.example.org/a",
              headers={"Accept-Language": "de"}, agent="DESKTOP"),
        entry("https://two.example.org/c", "Two third", 3),
    ], 1),
    tab(103, [
        entry("https://three.example.org/real", "Three", 4, virtual="https://three.example.org/"),
    ], 0, {"OpenerIndex": 1, "OpenerNavigationIndex": 2}),
    tab(104, [entry("https://four.example.org/", "Four", 5)], 0),
]
group = add({
    "$class": GROUP,
    "kRangeStartKey": 2,
    "kRangeCountKey": 2,
    "kTitleKey": add({"$class": MUTABLE_STRING, "NS.string": "Reading 📚"}),
    "kColorIdKey": 1,
    "kcollapsedStateKey": True,
    "kTabGroupIdKey": add("0000000000000005000000000000000A"),
})
window = add({
    "$class": WINDOW,
    "selectedIndex": 2,
    "sessions": array(tabs),
    "tabGroups": array([group]),
})
archive = {
    "$archiver": "NSKeyedArchiver",
    "$version": 100000,
    "$objects": objects,
    "$top": {"root": window},
}
path = pathlib.Path(__file__).with_name("session.plist")
path.write_bytes(plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False))
