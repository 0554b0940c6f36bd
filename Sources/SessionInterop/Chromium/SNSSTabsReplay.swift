import BrowserSessions

/// A replay of the commands of a `Tabs` file. The result is what can be reopened at the end.
struct SNSSTabsReplay {
    struct Tab {
        var selected: Int32
        var closedAt: Int64 = 0
        var isPinned = false
        var group: StructureNode?
        var entries: [NavigationEntry] = []
        var properties: [String: String] = [:]
        /// The number of the tab in the file.
        var ordinal: Int
        /// Whether the user opened it again.
        var isReopened = false
    }

    /// A closed tab, or a closed window or group with the number of tabs that follow.
    struct Entry {
        var id: Int32
        var isWindow = false
        var closedAt: Int64 = 0
        var selected: Int32 = 0
        var expected = 0
        var properties: [String: String] = [:]
        var tabs: [Tab] = []
        /// Whether the user opened it again.
        var isReopened = false
    }

    var entries: [Entry] = []
    private var ordinal = 0
    /// The positions of entries and tabs by ID, the last one last.
    private var entryPlaces: [Int32: [Int]] = [:]
    private var tabPlaces: [Int32: [(entry: Int, tab: Int)]] = [:]
    /// Whether the following commands are for the last tab of the last entry.
    private var hasTab = false

    mutating func apply(_ records: [SNSSFile.Record], _ reading: inout SourceReading) {
        for record in records {
            switch apply(record) {
            case true?: break
            case false?:
                reading.log.loss(
                    at: "byte \(record.offset)",
                    "a record of command \(record.command) has a payload of the wrong form or place"
                )
            case nil: reading.counts.unknownRecords += 1
            }
        }
    }

    private mutating func apply(_ record: SNSSFile.Record) -> Bool? {
        switch record.command {
        case 1: navigate(record.payload)
        case 2: restored(record)
        case 3, 9: beginWindow(record)
        case 4: beginTab(record)
        case 5:
            SNSSForms.fits(record, in: .tabs)
                && changeTab { $0.isPinned = record.payload.first != 0 }
        case 6, 7, 8, 11, 12: applyText(record)
        case 10: describeGroup(record.payload)
        case 13: beginGroup(record.payload)
        case 14, 15, 16: true
        default: nil
        }
    }

    private mutating func changeTab(_ change: (inout Tab) -> Void) -> Bool {
        guard hasTab, let entry = entries.indices.last,
            let tab = entries[entry].tabs.indices.last
        else { return false }
        change(&entries[entry].tabs[tab])
        return true
    }

    private mutating func navigate(_ payload: ArraySlice<UInt8>) -> Bool {
        guard let navigation = SNSSNavigation(payload) else { return false }
        return changeTab { $0.entries.append(navigation.entry) }
    }

    /// Marks an entry or one of its tabs as reopened. Files name entries that they do not contain.
    private mutating func restored(_ record: SNSSFile.Record) -> Bool {
        var reader = ByteReader(record.payload)
        guard SNSSForms.fits(record, in: .tabs), let id: Int32 = reader.integer() else {
            return false
        }
        hasTab = false
        if let entry = entryPlaces[id]?.popLast() {
            entries[entry].isReopened = true
        } else if let place = tabPlaces[id]?.popLast() {
            entries[place.entry].tabs[place.tab].isReopened = true
        }
        return true
    }

    private mutating func beginTab(_ record: SNSSFile.Record) -> Bool {
        var reader = ByteReader(record.payload)
        guard SNSSForms.fits(record, in: .tabs), let id: Int32 = reader.integer(),
            let selected: Int32 = reader.integer()
        else { return false }
        var tab = Tab(selected: selected, ordinal: ordinal)
        tab.closedAt = reader.integer() ?? 0
        ordinal += 1
        hasTab = true
        if let last = lastEntry, entries[last].tabs.count < entries[last].expected {
            tabPlaces[id, default: []].append((last, entries[last].tabs.count))
            entries[last].tabs.append(tab)
        } else {
            append(Entry(id: id, tabs: [tab]))
        }
        return true
    }

    /// The entry that commands may add to; `nil` once the user has reopened the last one.
    private var lastEntry: Int? {
        entries.indices.last.flatMap { entries[$0].isReopened ? nil : $0 }
    }

    private mutating func append(_ entry: Entry) {
        entryPlaces[entry.id, default: []].append(entries.count)
        entries.append(entry)
    }

    private mutating func beginWindow(_ record: SNSSFile.Record) -> Bool {
        var numbers: [Int32] = []
        var entry = Entry(id: 0, isWindow: true)
        if record.command == 9 {
            guard var pickle = PickleReader(record.payload) else { return false }
            while numbers.count < 3, let number = pickle.int() { numbers.append(number) }
            guard let closedAt = pickle.int64() else { return false }
            entry.closedAt = closedAt
            let bounds = (0..<4).compactMap { _ in pickle.int() }
            entry.properties["chromium.bounds"] = bounds.map { String($0) }.joined(separator: ",")
        } else {
            var reader = ByteReader(record.payload)
            guard SNSSForms.fits(record, in: .tabs) else { return false }
            while numbers.count < 3, let number: Int32 = reader.integer() { numbers.append(number) }
        }
        guard numbers.count == 3, numbers[2] > 0 else { return false }
        (entry.id, entry.selected, entry.expected) = (numbers[0], numbers[1], Int(numbers[2]))
        append(entry)
        hasTab = false
        return true
    }

    private mutating func beginGroup(_ payload: ArraySlice<UInt8>) -> Bool {
        guard var pickle = PickleReader(payload), pickle.token() != nil, let id = pickle.int(),
            let count = pickle.int(), count > 0
        else { return false }
        append(Entry(id: id, expected: Int(count)))
        hasTab = false
        return true
    }

    private mutating func describeGroup(_ payload: ArraySlice<UInt8>) -> Bool {
        guard var pickle = PickleReader(payload), let id = pickle.token(),
            let title = pickle.string16(), let color = pickle.int()
        else { return false }
        let group = StructureNode.group(id: id, name: title, color: TabGroupColor(rawValue: color))
        return changeTab { $0.group = group }
    }

    private mutating func applyText(_ record: SNSSFile.Record) -> Bool {
        guard var pickle = PickleReader(record.payload), pickle.int() != nil,
            let text = pickle.string()
        else { return false }
        let names: [UInt8: String] = [
            6: "extension-app-id", 7: "app-name", 8: "user-agent", 11: "user-agent",
            12: "user-title",
        ]
        let name = "chromium." + (names[record.command] ?? "")
        if record.command == 7 || record.command == 12 {
            guard let last = lastEntry else { return false }
            entries[last].properties[name] = text
            return true
        }
        return changeTab { $0.properties[name] = text }
    }
}
