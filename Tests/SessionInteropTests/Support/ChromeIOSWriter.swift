import BrowserSessions
import TestSupport

/// Writes session directories of Chrome for iOS, field by field.
struct ChromeIOSWriter {
    struct Tab {
        var id: Int32
        var title: String
        var urls: [String]
        var opener: (index: Int64, navigation: Int64)?
    }

    struct Group {
        var start: Int64
        var count: Int64
        var title: String
        var color: Int64
        var isCollapsed = false
        var id: (high: Int64, low: Int64)
    }

    var tabs: [Tab] = []
    var active: Int64 = -1
    var pinned: Int64 = 0
    var groups: [Group] = []
    private let time: Int64 = 13_346_873_882_166_178

    func metadata() -> [UInt8] {
        var list = WireWriter()
        for tab in tabs {
            list.message(1) { item in
                item.number(1, Int64(tab.id))
                if let opener = tab.opener {
                    item.message(2) {
                        $0.number(1, opener.index)
                        $0.number(2, opener.navigation)
                    }
                }
                item.message(3) { metadata in
                    metadata.message(1) { $0.number(1, time) }
                    metadata.message(2) { $0.number(1, time) }
                    metadata.message(3) {
                        $0.string(1, tab.title)
                        $0.string(2, tab.urls[tab.urls.count - 1])
                    }
                    metadata.number(4, Int64(tab.urls.count))
                }
            }
        }
        list.number(2, active)
        list.number(3, pinned)
        for group in groups { write(group, to: &list) }
        return list.bytes
    }

    private func write(_ group: Group, to list: inout WireWriter) {
        list.message(4) { message in
            message.message(1) {
                $0.number(1, group.start)
                $0.number(2, group.count)
            }
            message.string(2, group.title)
            message.number(3, group.color)
            message.number(4, group.isCollapsed ? 1 : 0)
            message.message(5) {
                $0.number(1, group.id.low)
                $0.number(2, group.id.high)
            }
        }
    }

    func data(_ tab: Tab) -> [UInt8] {
        var state = WireWriter()
        state.number(3, 1)
        state.message(4) { navigation in
            navigation.number(1, Int64(tab.urls.count - 1))
            for (index, url) in tab.urls.enumerated() {
                navigation.message(2) { item in
                    item.string(1, url)
                    item.string(3, tab.title)
                    item.message(4) { $0.number(1, time + Int64(index) * 1_000_000) }
                    item.number(5, 2)
                    if index > 0 {
                        item.message(6) {
                            $0.string(1, tab.urls[index - 1])
                            $0.number(2, 1)
                        }
                    }
                }
            }
        }
        return state.bytes
    }

    func write(to folder: TemporaryFolder, _ directory: String) throws {
        try folder.write(metadata(), to: directory + "/session_metadata.pb")
        for tab in tabs where tab.id > 0 {
            let name = directory + "/" + Self.directoryName(tab.id)
            try folder.write(data(tab), to: name + "/data.pb")
        }
    }

    static func directoryName(_ id: Int32) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension WireWriter {
    fileprivate mutating func number(_ field: Int, _ value: Int64) {
        guard value != 0 else { return }
        varint(UInt64(field) << 3)
        varint(UInt64(bitPattern: value))
    }
}
