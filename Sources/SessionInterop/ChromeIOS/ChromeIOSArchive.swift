import BrowserSessions

/// The windows of an archive, as far as they can be read.
struct ChromeIOSArchive {
    /// The class of a window, which identifies an archive of any name.
    static let windowClass = "SessionWindowIOS"

    var archive: KeyedArchive
    let file: String
    var log: ProblemLog
    /// The counts of what the archive has and a session cannot hold.
    private var passedOver: [String: Int] = [:]

    init(_ archive: KeyedArchive, file: String, _ limits: ImportLimits) {
        self.archive = archive
        self.file = file
        log = ProblemLog(maximum: limits.maximumProblems)
    }

    /// Returns a list for each window. Throws `incompatibleFormat` if the archive has none.
    mutating func windows() throws(StorageError) -> [ChromeIOSList] {
        var windows: [ChromeIOSList] = []
        switch archive.value(archive.root) {
        case .object(let root) where isWindow(root): windows = [window(root, at: file)]
        case .object(let root) where root.fields["sessionWindows"] != nil:
            for (index, number) in list("sessionWindows", of: root.fields, at: file).enumerated() {
                let location = "\(file), window \(index)"
                if case .object(let object) = archive.value(number), isWindow(object) {
                    windows.append(window(object, at: location))
                } else {
                    log.loss(at: location, "the window cannot be read")
                }
                if archive.list.isExhausted { break }
            }
        default:
            throw SourceFile.failure(
                .incompatibleFormat, "the archive holds no session of Chrome for iOS")
        }
        finish()
        return windows
    }

    private func isWindow(_ object: KeyedArchive.Object) -> Bool {
        object.className == Self.windowClass || object.fields["sessions"] != nil
    }

    private mutating func finish() {
        if archive.list.isExhausted {
            log.loss(at: file, "the archive is over the limit; what follows is left out")
        }
        if archive.list.unreadableNames > 0 {
            log.loss(
                at: file, "\(archive.list.unreadableNames) values have no name that can be read")
        }
        guard !passedOver.isEmpty else { return }
        let names = passedOver.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        log.note(at: file, "not taken: " + names.joined(separator: ", "))
    }

    // MARK: - A window

    private mutating func window(_ object: KeyedArchive.Object, at location: String)
        -> ChromeIOSList
    {
        if object.fields["sessions"] == nil {
            log.loss(at: location, "the list of tabs is missing")
        }
        var list = ChromeIOSList(file: location)
        var kept = [0]
        var pins: [Bool] = []
        let tabs = self.list("sessions", of: object.fields, at: location)
        for (index, number) in tabs.enumerated() {
            if archive.list.isExhausted { break }
            if let tab = tab(number, at: "\(location), item \(index)") {
                list.items.append(tab.item)
                pins.append(tab.isPinned)
            }
            kept.append(list.items.count)
        }
        pin(pins, in: &list)
        let groups = self.list("tabGroups", of: object.fields, at: location)
        for (index, number) in groups.enumerated() {
            if let group = group(number, at: "\(location), group \(index)") {
                list.groups.append(group)
            }
        }
        select(object.fields, in: &list, at: location)
        list.moveIndexes(kept)
        passOver(object.fields, known: ["sessions", "tabGroups", "selectedIndex"])
        return list
    }

    /// Pins the tabs before the first one that is not pinned.
    private mutating func pin(_ pins: [Bool], in list: inout ChromeIOSList) {
        let count = pins.firstIndex(of: false) ?? pins.count
        list.pinnedCount = Int32(clamping: count)
        if pins.dropFirst(count).contains(true) {
            log.repair(at: list.file, "pins after a tab without one were removed")
        }
    }

    private mutating func select(
        _ fields: [String: Int], in list: inout ChromeIOSList, at location: String
    ) {
        list.activeIndex = -1
        guard let index = integer("selectedIndex", of: fields, at: location) else {
            log.loss(at: location, "the selected tab cannot be read; none is active")
            return
        }
        // The greatest 32-bit number means none. The greatest 64-bit number did so in the past.
        guard index != Int64(Int32.max), index != Int64.max else { return }
        if list.items.isEmpty {
            log.loss(at: location, "a tab was selected, but none is there")
        } else {
            list.activeIndex = index < 0 ? Int32.max : Int32(clamping: index)
        }
    }

    private mutating func group(_ number: Int, at location: String) -> ChromeIOSGroup? {
        guard case .object(let object) = archive.value(number) else {
            log.loss(at: location, "a group cannot be read; its tabs are kept without it")
            return nil
        }
        let fields = object.fields
        func small(_ value: Int64?) -> Int32 { Int32(clamping: value ?? 0) }
        var group = ChromeIOSGroup()
        group.range = ChromeIOSNumbers(
            Int64(small(integer("kRangeStartKey", of: fields, at: location))),
            Int64(small(integer("kRangeCountKey", of: fields, at: location))))
        group.title = text("kTitleKey", of: fields, at: location) ?? ""
        group.color = small(integer("kColorIdKey", of: fields, at: location))
        group.isCollapsed = bool("kcollapsedStateKey", of: fields, at: location)
        let id = text("kTabGroupIdKey", of: fields, at: location) ?? ""
        if id.utf8.count == 32, let high = UInt64(id.prefix(16), radix: 16),
            let low = UInt64(id.suffix(16), radix: 16)
        {
            group.id = ChromeIOSNumbers(Int64(bitPattern: low), Int64(bitPattern: high))
        }
        return group
    }
}

// MARK: - Fields

extension ChromeIOSArchive {
    mutating func integer(_ name: String, of fields: [String: Int], at location: String) -> Int64? {
        switch node(name, of: fields) {
        case nil, .null: return nil
        case .integer(let value): return value
        case .bool(let value): return value ? 1 : 0
        default:
            log.loss(at: "\(location), \(name)", "the number cannot be read")
            return nil
        }
    }

    mutating func bool(_ name: String, of fields: [String: Int], at location: String) -> Bool {
        integer(name, of: fields, at: location).map { $0 != 0 } ?? false
    }

    /// Reads a text, which is an object, or bytes instead of one.
    mutating func text(_ name: String, of fields: [String: Int], at location: String) -> String? {
        switch node(name, of: fields) {
        case nil, .null: return nil
        case .text(let value): return value
        case .bytes(let value): return String(decoding: value, as: UTF8.self)
        default:
            log.loss(at: "\(location), \(name)", "the text cannot be read")
            return nil
        }
    }

    mutating func list(_ name: String, of fields: [String: Int], at location: String) -> [Int] {
        switch node(name, of: fields) {
        case nil, .null: return []
        case .array(let members): return members
        default:
            log.loss(at: "\(location), \(name)", "the list cannot be read")
            return []
        }
    }

    mutating func node(_ name: String, of fields: [String: Int]) -> KeyedArchive.Value? {
        fields[name].map { archive.value($0) }
    }

    /// The values that have a meaning to the browser and that a session cannot hold.
    private static let opaque: Set<String> = [
        "certificatePolicyCacheStorage", "certificatePolicyManager", "openedByDOM", "windowName",
        "previousNavigationIndex", "lastVisitedTimestamp", "openerId", "openerNavigationIndex",
        "tabId", "state", "POSTData", "skipResubmitDataConfirmation", "useDesktopUserAgent",
        "sessionsSummary",
    ]

    /// Counts what is left out. Unknown names are not repeated.
    mutating func passOver(_ fields: [String: Int], known: Set<String>) {
        for (name, number) in fields where name != "$class" && !known.contains(name) {
            switch archive.value(number) {
            case .null, .bool(false): continue
            default: passedOver[Self.opaque.contains(name) ? name : "others", default: 0] += 1
            }
        }
    }
}

extension ChromeIOSList {
    /// Corrects indexes after items were left out, by the number of items kept before each one.
    fileprivate mutating func moveIndexes(_ kept: [Int]) {
        let places = kept.count - 1
        guard places > items.count else { return }
        func moved(_ index: Int) -> Int {
            index < 0 ? index : index < places ? kept[index] : index - places + items.count
        }
        func found(_ index: Int) -> Int {
            let isLeftOut = (0..<places).contains(index) && kept[index] == kept[index + 1]
            return isLeftOut ? -1 : moved(index)
        }
        activeIndex = Int32(clamping: found(Int(activeIndex)))
        for index in items.indices {
            guard let opener = items[index].message.opener else { continue }
            items[index].message.opener = ChromeIOSNumbers(
                Int64(found(Int(opener.first))), opener.second)
        }
        for index in groups.indices {
            let places = groups[index].places
            let (start, end) = (moved(places.lowerBound), moved(places.upperBound))
            groups[index].range = ChromeIOSNumbers(Int64(start), Int64(end - start))
        }
    }
}
