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
            var fields = Fields(numbers: root.fields, location: file)
            for (index, number) in list("sessionWindows", of: &fields).enumerated() {
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
        var fields = Fields(numbers: object.fields, location: location)
        if object.fields["sessions"] == nil {
            log.loss(at: location, "the list of tabs is missing")
        }
        var list = ChromeIOSList(file: location)
        var kept = [0]
        var pins: [Bool] = []
        for (index, number) in self.list("sessions", of: &fields).enumerated() {
            if archive.list.isExhausted { break }
            if let tab = tab(number, at: "\(location), item \(index)") {
                list.items.append(tab.item)
                pins.append(tab.isPinned)
            }
            kept.append(list.items.count)
        }
        pin(pins, in: &list)
        for (index, number) in self.list("tabGroups", of: &fields).enumerated() {
            if let group = group(number, at: "\(location), group \(index)") {
                list.groups.append(group)
            }
        }
        select(&fields, in: &list)
        list.moveIndexes(kept)
        passOver(fields)
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

    private mutating func select(_ fields: inout Fields, in list: inout ChromeIOSList) {
        list.activeIndex = -1
        guard let index = integer("selectedIndex", of: &fields) else {
            log.loss(at: list.file, "the selected tab cannot be read; none is active")
            return
        }
        // The greatest 32-bit number means none. The greatest 64-bit number did so in the past.
        guard index != Int64(Int32.max), index != Int64.max else { return }
        if list.items.isEmpty {
            log.loss(at: list.file, "a tab was selected, but none is there")
        } else {
            list.activeIndex = index < 0 ? Int32.max : Int32(clamping: index)
        }
    }

    private mutating func group(_ number: Int, at location: String) -> ChromeIOSGroup? {
        guard case .object(let object) = archive.value(number) else {
            log.loss(at: location, "a group cannot be read; its tabs are kept without it")
            return nil
        }
        var fields = Fields(numbers: object.fields, location: location)
        func small(_ value: Int64?) -> Int32 { Int32(clamping: value ?? 0) }
        var group = ChromeIOSGroup()
        group.range = ChromeIOSNumbers(
            Int64(small(integer("kRangeStartKey", of: &fields))),
            Int64(small(integer("kRangeCountKey", of: &fields))))
        group.title = text("kTitleKey", of: &fields) ?? ""
        group.color = small(integer("kColorIdKey", of: &fields))
        group.isCollapsed = bool("kcollapsedStateKey", of: &fields)
        let id = text("kTabGroupIdKey", of: &fields) ?? ""
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
    /// The fields of an object or a table, and where it is.
    struct Fields {
        var numbers: [String: Int]
        var location: String
        /// The names that were asked for. All others are passed over.
        var known: Set<String> = ["$class"]
    }

    mutating func integer(_ names: String..., of fields: inout Fields) -> Int64? {
        value(names, of: &fields, "the number cannot be read") { node -> Int64? in
            switch node {
            case .integer(let value): value
            case .bool(let value): value ? 1 : 0
            default: nil
            }
        }
    }

    mutating func bool(_ name: String, of fields: inout Fields) -> Bool {
        integer(name, of: &fields).map { $0 != 0 } ?? false
    }

    /// Reads a text, which is an object, or bytes instead of one.
    mutating func text(_ names: String..., of fields: inout Fields) -> String? {
        value(names, of: &fields, "the text cannot be read") { node -> String? in
            switch node {
            case .text(let value): value
            case .bytes(let value): String(decoding: value, as: UTF8.self)
            default: nil
            }
        }
    }

    mutating func list(_ name: String, of fields: inout Fields) -> [Int] {
        value([name], of: &fields, "the list cannot be read") { node -> [Int]? in
            if case .array(let members) = node { members } else { nil }
        } ?? []
    }

    mutating func table(_ name: String, of fields: inout Fields, _ fault: String) -> [String: Int] {
        value([name], of: &fields, fault) { node -> [String: Int]? in
            if case .dictionary(let members) = node { members } else { nil }
        } ?? [:]
    }

    /// Returns the first of the fields that is there and can be read. Reports those that cannot.
    private mutating func value<Value>(
        _ names: [String], of fields: inout Fields, _ fault: String,
        _ read: (KeyedArchive.Value) -> Value?
    ) -> Value? {
        fields.known.formUnion(names)
        for name in names {
            guard let number = fields.numbers[name] else { continue }
            let node = archive.value(number)
            if case .null = node { continue }
            if let value = read(node) { return value }
            log.loss(at: "\(fields.location), \(name)", fault)
        }
        return nil
    }

    /// The values that have a meaning to the browser and that a session cannot hold.
    private static let opaque: Set<String> = [
        "certificatePolicyCacheStorage", "certificatePolicyManager", "openedByDOM", "windowName",
        "previousNavigationIndex", "lastVisitedTimestamp", "openerId", "openerNavigationIndex",
        "tabId", "state", "POSTData", "skipResubmitDataConfirmation", "useDesktopUserAgent",
        "sessionsSummary",
    ]

    /// Counts what is left out. Unknown names are not repeated.
    mutating func passOver(_ fields: Fields) {
        for (name, number) in fields.numbers where !fields.known.contains(name) {
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
