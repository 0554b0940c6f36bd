import TestSupport

@testable import SessionInterop

// MARK: - Archives of Chrome for iOS

extension SampleWriter {
    func writeChromeIOSArchive() throws {
        let state = "chrome-ios-archive/"
        let scene = "C4D1E0B7-2A6F-4C35-9B18-7E50A3F9D264"
        var archive = ArchiveWriter()
        let times: ArchiveWriter.Fields = [
            ("creationTime", .integer(Self.time - 60_000_000)),
            ("lastActiveTime", .integer(Self.time)),
        ]
        let tabs = [
            archive.tab(
                700_501, ["https://garden.example.org/almanac"],
                data: [("PinnedState", .bool(true))], times),
            archive.tab(
                700_502, ["https://seeds.example.org/", "https://seeds.example.org/beans"],
                current: 0, [("userAgentKey", .bytes(Array("DESKTOP".utf8)))] + times),
            archive.tab(
                700_503, ["https://seeds.example.org/peas"],
                data: [("OpenerIndex", .integer(1)), ("OpenerNavigationIndex", .integer(0))],
                times),
        ]
        let root = archive.window(tabs, selected: 1)
        try folder.write(
            archive.bytes(root: root), to: state + "Sessions/" + scene + "/session.plist")
        try folder.write(Self.native(4, count: 300), to: state + "Web_Sessions/00700502")
    }
}

// MARK: - Firefox for iOS

extension SampleWriter {
    private static let windows = [
        "44BA0B7D-097A-484D-8358-91A6E374451D", "9E0C6A35-2F71-4D8B-A1B4-5C3D7E9F0A12",
    ]

    private static func tabID(_ window: Int, _ index: Int) -> String {
        "C1A0\(window)F3\(index)-5B6E-4D2A-8F90-12AB34CD56E\(index)"
    }

    func writeFirefoxIOS() throws {
        let tabs: [[(String, String, Bool)]] = [
            [
                ("Bread forum", "https://forum.example.org/bread", false),
                ("أخبار اليوم", "https://news.example.org/ar", false),
                ("🎧 Radio", "https://radio.example.org/live", false),
                ("Private errand", "https://shop.example.org/errand", true),
            ],
            [
                ("Homepage", "internal://local/about/home", false),
                ("Bus 24", "https://transit.example.org/line/24", false),
            ],
        ]
        for (window, list) in tabs.enumerated() {
            let bytes = Self.windowFile(window, list)
            let name = "window-" + Self.windows[window]
            try folder.write(bytes, to: "firefox-ios/profile.profile/window-data/" + name)
            for (index, tab) in list.enumerated() where !tab.1.hasPrefix("internal") {
                let blob = Self.native(UInt64(window * 10 + index), count: 300 + 200 * index)
                let name = "tab-" + Self.tabID(window, index)
                try folder.write(blob, to: "firefox-ios/profile.profile/tab-session-data/" + name)
            }
        }
        let older = Self.windowFile(0, Array(tabs[0].prefix(3)))
        try folder.write(
            older,
            to: "firefox-ios/profile.profile/window-data-backup/window-" + Self.windows[0])
    }

    private static func windowFile(_ window: Int, _ list: [(String, String, Bool)]) -> [UInt8] {
        let tabs = list.enumerated().map { index, tab in
            JSONValue.object([
                "id": .string(tabID(window, index)), "title": .string(tab.0),
                "siteUrl": .string(tab.1), "isPrivate": .bool(tab.2),
                "lastUsedTime": .number(737_371_800.5 + Double(index)),
                "createdAtTime": .number(737_000_000.25 + Double(index)),
                "temporaryDocumentSession": .array([]),
            ])
        }
        let file = JSONValue.object([
            "id": .string(windows[window]), "activeTabId": .string(tabID(window, 1)),
            "tabData": .array(tabs),
        ])
        let text = String(decoding: file.encoded(), as: UTF8.self)
        return Array(text.replacing("/", with: "\\/").utf8)
    }
}

// MARK: - Firefox for desktop

extension SampleWriter {
    func writeFirefoxDesktop() throws {
        let session = Self.desktopSession(extra: false)
        try folder.write(mozLZ4(session.encoded()), to: "firefox-desktop/sessionstore.jsonlz4")
        let recovery = Self.desktopSession(extra: true)
        try folder.write(
            recovery.encoded(), to: "firefox-desktop/sessionstore-backups/recovery.js")
    }

    private static func entry(_ host: String, _ path: String, _ title: String) -> JSONValue {
        .object([
            "url": .string("https://\(host).example.org/\(path)"), "title": .string(title),
            "ID": .integer(Int64(path.utf8.count + 100)), "persist": .bool(true),
            "docshellUUID": .string("{00000000-0000-4000-8000-0000000000\(10 + host.utf8.count)}"),
        ])
    }

    private static func tab(
        _ entries: [JSONValue], _ extra: [String: JSONValue] = [:]
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "entries": .array(entries), "index": .integer(Int64(entries.count)),
            "lastAccessed": .integer(1_715_679_000_000), "hidden": .bool(false),
            "userContextId": .integer(0), "attributes": .object([:]),
        ]
        members.merge(extra) { $1 }
        return .object(members)
    }

    private static func desktopSession(extra: Bool) -> JSONValue {
        var windows = [gardenWindow]
        if extra { windows.append(privateWindow) }
        return .object([
            "version": .array([.string("sessionrestore"), .integer(1)]),
            "windows": .array(windows), "selectedWindow": .integer(1),
            "_closedWindows": .array([
                .object([
                    "tabs": .array([tab([entry("blog", "post/9", "A closed window")])]),
                    "selected": .integer(1), "closedAt": .integer(1_715_670_000_000),
                ])
            ]),
            "session": .object(["lastUpdate": .integer(1_715_679_300_000)]),
            "global": .object([:]),
        ])
    }

    private static var gardenWindow: JSONValue {
        var framed = entry("video", "watch?v=1", "How to prune 🌿").object ?? [:]
        framed["children"] = .array([entry("player", "embed/1", ""), entry("ads", "slot", "")])
        let grouped: [String: JSONValue] = ["groupId": .string("1715678000000-1")]
        let closed = tab([entry("seeds", "catalogue", "Seeds")])
        return .object([
            "tabs": .array([
                tab([entry("music", "", "Playlist")], ["pinned": .bool(true)]),
                tab(
                    [entry("garden", "", "Garden"), entry("garden", "roses", "Roses – ورود")],
                    grouped.merging(["scroll": .object(["scroll": .string("0,1350")])]) { $1 }),
                tab([.object(framed)], grouped),
                tab(
                    [entry("bank", "login", "Sign in"), entry("bank", "home", "Accounts")],
                    ["userContextId": .integer(3), "index": .integer(1)]),
            ]),
            "groups": .array([
                .object([
                    "id": .string("1715678000000-1"), "name": .string("Garten 🌱"),
                    "color": .string("green"), "collapsed": .bool(false),
                ])
            ]),
            "_closedTabs": .array([
                .object([
                    "state": closed, "title": .string("Seeds"),
                    "closedAt": .integer(1_715_678_900_000), "pos": .integer(2),
                ])
            ]),
            "selected": .integer(2), "width": .integer(1280), "height": .integer(720),
            "sizemode": .string("normal"),
        ])
    }

    private static var privateWindow: JSONValue {
        .object([
            "tabs": .array([tab([entry("shop", "surprise", "Überraschung")])]),
            "selected": .integer(1), "isPrivate": .bool(true),
        ])
    }
}

// MARK: - Chromium and links

extension SampleWriter {
    func writeChromium() throws {
        try folder.write(
            SNSSSample.session(), to: "chromium/Default/Sessions/Session_13360152600000000")
        try folder.write(SNSSSample.tabs(), to: "chromium/Default/Sessions/Tabs_13360152600000001")
    }

    func writeLinks() throws {
        let rows = [
            (
                "library/languages.md", "Swift", "A tour of values",
                "https://books.example.org/swift/values"
            ),
            (
                "library/languages.md", "Swift", "Concurrency, slowly 🐢",
                "https://books.example.org/swift/slow"
            ),
            (
                "library/languages.md", "العربية", "مدخل إلى البرمجة",
                "https://books.example.org/ar/intro"
            ),
            (
                "library/tools.md", "Editors", "Le petit manuel",
                "https://books.example.org/fr/manuel"
            ),
            ("library/tools.md", "Editors", "入門", "https://books.example.org/ja/nyumon#ch1"),
        ]
        let lines = ["file\tsection\ttitle\turl"] + rows.map { "\($0)\t\($1)\t\($2)\t\($3)" }
        try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "links.tsv")
    }
}
