import BrowserSessions

/// A replay of the commands of a `Session` file. The result is what is open at the end.
struct SNSSSessionReplay {
    struct Tab {
        var window: Int32?
        var visualIndex: Int32 = -1
        var isPinned = false
        var group: NodeID?
        var lastActive: Int64 = 0
        var history = SNSSHistory()
        var properties: [String: String] = [:]
    }

    struct Window {
        var type: Int32?
        var selectedIndex: Int32 = -1
        var properties: [String: String] = [:]
    }

    let limits: ImportLimits
    var tabs: [Int32: Tab] = [:]
    var windows: [Int32: Window] = [:]
    var groups: [NodeID: StructureNode] = [:]
    var closedWindows: Set<Int32> = []
    var activeWindow: Int32?
    private var navigations: Set<[Int32]> = []
    /// The number of history entries that were moved or removed.
    private var moves = 0

    init(limits: ImportLimits) { self.limits = limits }

    mutating func apply(_ records: [SNSSFile.Record], _ reading: inout SourceReading) {
        for record in records {
            guard moves / 16 <= limits.maximumParts else {
                reading.log.loss(
                    at: "byte \(record.offset)",
                    "more changes of histories than the limit; what follows is left out")
                break
            }
            switch apply(record) {
            case true?: break
            case false?:
                reading.log.loss(
                    at: "byte \(record.offset)",
                    "a record of command \(record.command) has a payload of the wrong form")
            case nil: reading.counts.unknownRecords += 1
            }
        }
        reading.counts.distinctNavigations = navigations.count
    }

    /// Returns whether the payload could be read; `nil` for an unknown command.
    private mutating func apply(_ record: SNSSFile.Record) -> Bool? {
        switch record.command {
        case 0, 2, 5, 7...12, 14, 16, 17, 20, 21, 24, 25, 32: applyNumbers(record)
        case 6: navigate(record.payload)
        case 13, 15, 18, 19, 23, 28, 29, 31: applyText(record)
        case 27: describeGroup(record.payload)
        case 1, 3, 4, 22, 26, 30, 33, 34: true
        default: nil
        }
    }

    private mutating func navigate(_ payload: ArraySlice<UInt8>) -> Bool {
        guard let navigation = SNSSNavigation(payload) else { return false }
        navigations.insert([navigation.tab, navigation.index])
        tabs[navigation.tab, default: Tab()].history.put(navigation)
        return true
    }

    private mutating func applyNumbers(_ record: SNSSFile.Record) -> Bool {
        var reader = ByteReader(record.payload)
        guard SNSSForms.fits(record, in: .session), let id: Int32 = reader.integer() else {
            return false
        }
        let rest = (0..<reader.remaining / 4).compactMap { _ in reader.integer(Int32.self) }
        switch record.command {
        case 8, 9, 10, 14, 17, 20, 32:
            applyToWindow(record.command, id, rest)
            return true
        case 21, 25:
            // Numbers of 64 bits begin at a multiple of eight bytes in programs of 64 bits.
            let isPadded = [16, 32].contains(record.payload.count)
            applyWide(record.command, id, ByteReader(record.payload.dropFirst(isPadded ? 8 : 4)))
            return true
        default: return applyToTab(record.command, id, rest)
        }
    }

    private mutating func applyWide(_ command: UInt8, _ id: Int32, _ numbers: ByteReader) {
        var reader = numbers
        let first = reader.integer(UInt64.self) ?? 0
        if command == 21 {
            tabs[id, default: Tab()].lastActive = Int64(bitPattern: first)
        } else {
            let group = NodeID(high: first, low: reader.integer() ?? 0)
            tabs[id, default: Tab()].group = reader.integer(UInt8.self) == 0 ? nil : group
        }
    }

    /// - Parameter id: That of the tab; that of its window in command 0.
    private mutating func applyToTab(_ command: UInt8, _ id: Int32, _ rest: [Int32]) -> Bool {
        if [5, 11, 24].contains(command) { moves += tabs[id]?.history.entries.count ?? 0 }
        switch command {
        case 0: tabs[rest[0], default: Tab()].window = id
        case 2: tabs[id, default: Tab()].visualIndex = rest[0]
        case 5: tabs[id, default: Tab()].history.removeAll(from: Int(rest[0]))
        case 7: tabs[id, default: Tab()].history.currentIndex = Int(rest[0])
        case 11 where rest[0] > 0:
            tabs[id, default: Tab()].history.remove(from: 0, count: Int(rest[0]))
        case 12: tabs[id, default: Tab()].isPinned = rest[0] & 0xFF != 0
        case 16: tabs[id] = nil
        case 24 where rest[0] >= 0 && rest[1] > 0:
            tabs[id, default: Tab()].history.remove(from: Int(rest[0]), count: Int(rest[1]))
        default: return false
        }
        return true
    }

    private mutating func applyToWindow(_ command: UInt8, _ id: Int32, _ rest: [Int32]) {
        switch command {
        case 8: windows[id, default: Window()].selectedIndex = rest[0]
        case 9: windows[id, default: Window()].type = rest[0]
        case 10, 14:
            windows[id, default: Window()].properties["chromium.bounds"] =
                rest.prefix(4).map { String($0) }.joined(separator: ",")
            if command == 14 {
                windows[id]?.properties["chromium.show-state"] = String(rest[4])
            }
        case 17:
            windows[id] = nil
            closedWindows.insert(id)
        case 20: activeWindow = id
        default:
            // A Boolean, which newer browsers write for every window. The rest of it is padding.
            windows[id, default: Window()].properties["chromium.on-all-workspaces"] =
                rest[0] & 0xFF == 0 ? nil : "true"
        }
    }

    private mutating func applyText(_ record: SNSSFile.Record) -> Bool {
        guard var pickle = PickleReader(record.payload), let id = pickle.int(),
            let text = pickle.string()
        else { return false }
        let names: [UInt8: String] = [
            13: "extension-app-id", 15: "app-name", 18: "user-agent", 19: "session-storage-id",
            23: "workspace", 28: "guid", 29: "user-agent", 31: "user-title",
        ]
        let name = "chromium." + (names[record.command] ?? "")
        let value = text.isEmpty ? nil : text
        switch record.command {
        case 15, 23, 31: windows[id, default: Window()].properties[name] = value
        default: tabs[id, default: Tab()].properties[name] = value
        }
        return true
    }

    private mutating func describeGroup(_ payload: ArraySlice<UInt8>) -> Bool {
        guard var pickle = PickleReader(payload), let id = pickle.token(),
            let title = pickle.string16(), let color = pickle.int()
        else { return false }
        groups[id] = StructureNode.group(
            id: id, name: title, color: TabGroupColor(rawValue: color),
            isCollapsed: pickle.bool() ?? false)
        return true
    }
}
