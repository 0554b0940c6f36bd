import BrowserSessions

/// A replay of the commands of a `Session` file. The result is what is open at the end.
struct SNSSSessionReplay {
    struct Tab {
        var window: Int32?
        var visualIndex: Int32 = -1
        var isPinned = false
        var group: TabGroupID?
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
    var groups: [TabGroupID: StructureNode] = [:]
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
        case 0, 2, 7, 12, 16, 21, 25: applyToTab(record)
        case 5, 11, 24: prune(record)
        case 6: navigate(record.payload)
        case 8, 9, 10, 14, 17, 20, 32: applyToWindow(record)
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

    private mutating func applyToTab(_ record: SNSSFile.Record) -> Bool {
        var reader = ByteReader(record.payload)
        guard SNSSForms.fits(record, in: .session), let id: Int32 = reader.integer() else {
            return false
        }
        switch record.command {
        case 16:
            tabs[id] = nil
            return true
        case 21:
            reader.skip(record.payload.count == 16 ? 4 : 0)
            tabs[id, default: Tab()].lastActive = reader.integer() ?? 0
            return true
        case 25:
            reader.skip(record.payload.count == 32 ? 4 : 0)
            let (high, low): (UInt64?, UInt64?) = (reader.integer(), reader.integer())
            let flag: UInt8? = reader.integer()
            let group = TabGroupID(high: high ?? 0, low: low ?? 0)
            tabs[id, default: Tab()].group = flag == 0 ? nil : group
            return true
        default: break
        }
        guard let value: Int32 = reader.integer() else { return false }
        switch record.command {
        case 0: tabs[value, default: Tab()].window = id
        case 2: tabs[id, default: Tab()].visualIndex = value
        case 7: tabs[id, default: Tab()].history.currentIndex = Int(value)
        default: tabs[id, default: Tab()].isPinned = value & 0xFF != 0
        }
        return true
    }

    private mutating func prune(_ record: SNSSFile.Record) -> Bool {
        var reader = ByteReader(record.payload)
        guard SNSSForms.fits(record, in: .session), let id: Int32 = reader.integer(),
            let index: Int32 = reader.integer()
        else { return false }
        moves += tabs[id]?.history.entries.count ?? 0
        switch record.command {
        case 5: tabs[id, default: Tab()].history.removeAll(from: Int(index))
        case 11:
            guard index > 0 else { return false }
            tabs[id, default: Tab()].history.remove(from: 0, count: Int(index))
        default:
            guard let count: Int32 = reader.integer(), index >= 0, count > 0 else { return false }
            tabs[id, default: Tab()].history.remove(from: Int(index), count: Int(count))
        }
        return true
    }

    private mutating func applyToWindow(_ record: SNSSFile.Record) -> Bool {
        var reader = ByteReader(record.payload)
        guard SNSSForms.fits(record, in: .session), let id: Int32 = reader.integer() else {
            return false
        }
        let rest = (0..<reader.remaining / 4).compactMap { _ in
            reader.integer(Int32.self)
        }
        switch record.command {
        case 8: windows[id, default: Window()].selectedIndex = rest[0]
        case 9: windows[id, default: Window()].type = rest[0]
        case 10, 14:
            windows[id, default: Window()].properties["chromium.bounds"] =
                rest.prefix(4).map { String($0) }.joined(separator: ",")
            if record.command == 14 {
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
        return true
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
