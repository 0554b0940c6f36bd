@testable import SessionInterop

/// Small sound files of formats that are text or logs.
enum FirefoxIOSSample {
    static let window = "1B2C3D4E-0000-4000-8000-000000000001"

    static func tabID(_ index: Int) -> String { "A0000000-0000-4000-8000-00000000000\(index)" }

    static func tab(_ index: Int, _ extra: String = "") -> String {
        #"{"id":"\#(tabID(index))","title":"Tab \#(index)","siteUrl":"https:\/\/example.org\/\#(index)","#
            + #""isPrivate":false,"lastUsedTime":720000000.5,"createdAtTime":719999999.25\#(extra)}"#
    }

    static func file(tabs count: Int) -> [UInt8] { file((0..<count).map { tab($0) }) }

    static func file(_ tabs: [String], active: String = tabID(0)) -> [UInt8] {
        Array(
            #"{"id":"\#(window)","activeTabId":"\#(active)","tabData":[\#(tabs.joined(separator: ","))]}"#
                .utf8)
    }
}

enum FirefoxDesktopSample {
    static func tab(_ index: Int, _ extra: String = "") -> String {
        #"{"entries":[{"url":"https://example.org/\#(index)/a","title":"A \#(index)","ID":1},"#
            + #"{"url":"https://example.org/\#(index)/b","title":"B \#(index)","ID":2}],"#
            + #""index":1,"lastAccessed":1702400282166,"hidden":false\#(extra)}"#
    }

    static func text(_ tabs: [String], _ extra: String = "", root: String = "") -> [UInt8] {
        Array(
            #"{"version":["sessionrestore",1],"windows":[{"tabs":[\#(tabs.joined(separator: ","))],"#
                .utf8)
            + Array(#""selected":2,"width":1280\#(extra)}],"selectedWindow":1\#(root)}"#.utf8)
    }

    static func text(tabs count: Int) -> [UInt8] { text((0..<count).map { tab($0) }) }
}

enum SNSSSample {
    /// Two windows with three tabs, one pinned, two in a group; a fourth tab was closed.
    static func session(version: Int32 = 3) -> [UInt8] {
        var log = SNSSWriter(version: version)
        log.numbers(9, 1, 0)
        log.numbers(9, 2, 0)
        for (tab, window, index) in [
            (Int32(11), Int32(1), Int32(0)), (12, 1, 1), (13, 2, 0), (14, 1, 2),
        ] {
            log.numbers(0, window, tab)
            log.numbers(2, tab, index)
            for entry in Int32(0)...1 {
                log.navigation(
                    tab: tab, index: entry, url: "https://example.org/\(tab)/\(entry)",
                    title: "Tab \(tab) – \(entry)")
            }
            log.numbers(7, tab, 1)
        }
        log.numbers(12, 11, 1)
        log.group(12, high: 5, low: 6)
        log.pickle(27) {
            $0.int64(5)
            $0.int64(6)
            $0.string16("Reading 📚")
            $0.int(4)
            $0.int(1)
        }
        if version == 3 { log.record(255, []) }
        log.time(21, 12, 13_346_873_882_166_178)
        log.numbers(8, 1, 1)
        log.time(16, 14, 13_346_873_882_166_178)
        log.numbers(20, 1)
        return log.bytes
    }

    /// Windows of so many tabs in all, and where the records of each tab end.
    static func open(
        _ tabs: Int32, version: Int32 = 3, isFinished: Bool = true, windowSize: Int32 = .max,
        entries: Int32 = 1, state: String = ""
    ) -> (bytes: [UInt8], ends: [Int]) {
        var log = SNSSWriter(version: version)
        var ends: [Int] = []
        for tab in 0..<tabs {
            let (window, id) = (tab / windowSize + 1, tab + 10)
            if tab % windowSize == 0 { log.numbers(9, window, 0) }
            if tab == 0 { ends.append(log.bytes.count) }
            log.numbers(0, window, id)
            log.numbers(2, id, tab % windowSize)
            for entry in 0..<entries {
                log.navigation(
                    tab: id, index: entry, url: "https://example.org/\(tabs)/\(tab)/\(entry)",
                    title: "Tab \(tab)", state: state)
            }
            if entries > 1 { log.numbers(7, id, entries - 1) }
            log.time(21, id, 13_346_873_882_166_178)
            ends.append(log.bytes.count)
        }
        if version == 3, isFinished { log.record(255, []) }
        return (log.bytes, ends)
    }

    /// A closed tab and a closed window of two tabs; a second closed tab was reopened.
    static func tabs() -> [UInt8] {
        var log = SNSSWriter()
        for tab in Int32(21)...22 {
            log.closedTab(tab, selected: 0, 13_346_873_882_166_178)
            log.navigation(
                1, tab: tab, index: 0, url: "https://example.org/\(tab)", title: "Closed \(tab)")
        }
        log.numbers(2, 22)
        log.pickle(9) {
            for value in [Int32(3), 1, 2] { $0.int(value) }
            $0.int64(13_346_873_882_166_178)
            for value in [Int32(10), 20, 800, 600, 1] { $0.int(value) }
            $0.string("")
        }
        for tab in Int32(31)...32 {
            log.closedTab(tab, selected: 1, 13_346_873_882_166_178)
            for entry in Int32(0)...1 {
                log.navigation(
                    1, tab: tab, index: entry, url: "https://example.org/\(tab)/\(entry)",
                    title: "Window tab \(tab)")
            }
        }
        log.record(255, [])
        return log.bytes
    }
}
