import BrowserSessions

extension FirefoxFormat {
    /// Reads a `sessionstore` file of Firefox for desktop, plain or compressed.
    static func read(_ file: [UInt8], name: String, limits: ImportLimits) throws(StorageError)
        -> SourceReading
    {
        var reading = SourceReading(limits: limits)
        var text =
            file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF])
            ? SourceText(file).bytes : file
        if file.starts(with: MozLZ4.magic) {
            let unfolded = try MozLZ4.unfold(file, limits: limits)
            text = unfolded.bytes
            if let damage = unfolded.damage {
                reading.log.loss(at: "byte \(MozLZ4.magic.count + 4)", damage)
            }
        }
        let (value, failures) = JSONParser.parse(
            text, shapes: .firefoxDesktop, maximum: limits.maximumParts)
        for failure in failures { reading.log.loss(failure) }
        reading.isWhole = !reading.log.hasLoss
        guard let value, let root = value.object else {
            throw SourceFile.failure(.corrupted, "the file holds no session")
        }
        guard !failures.isEmpty || isSession(value) else {
            throw SourceFile.failure(.incompatibleFormat, "the file is no session of Firefox")
        }
        reading.savedAt = root["session"]?.moment("lastUpdate") ?? .unknown
        var builder = FirefoxDesktopBuilder(
            identity: SourceIdentity(.firefoxDesktop, content: file), reading: reading)
        builder.read(value)
        return builder.reading
    }

    /// Returns whether an object is a session, as far as it could be read.
    static func isSession(_ root: JSONValue) -> Bool {
        if root["version"]?.array?.first?.string == "sessionrestore" { return true }
        if let first = root["windows"]?.array?.first { return first["tabs"]?.array != nil }
        let names = ["windows", "_closedWindows", "selectedWindow", "savedGroups"]
        return names.count { root[$0] != nil } > 1
    }
}

/// A builder of sessions from the root object.
struct FirefoxDesktopBuilder {
    let identity: SourceIdentity
    var reading: SourceReading
    /// The crash pages that are not read yet, and the depth of those that are being read.
    var crashPages: [CrashPage] = []
    var crashDepth = 0
    /// The addresses of icons, by the numbers that tabs use.
    var icons: [String: String] = [:]

    mutating func read(_ root: JSONValue) {
        readIcons(root["_cachedObjs"])
        let windows = readWindows("windows", of: root, isRequired: true)
        let closed = readWindows("_closedWindows", of: root, isClosed: true)
        readStrays(root, "root", after: [windows, closed])
        readSavedGroups(list("savedGroups", of: root, "savedGroups"))
        // The browser keeps the previous session to restore it on request.
        let last = root["lastSessionState"] ?? .null
        let before = readWindows("windows", of: last, at: "lastSessionState.", as: .setAside)
        readStrays(last, "lastSessionState", after: [before])
        readCrashPages()
        let cookies = root["cookies"]?.array?.count ?? 0
        guard cookies > 0 else { return }
        reading.log.note(at: "cookies", "not taken: \(counted(cookies, "cookie"))")
    }

    private mutating func readIcons(_ list: JSONValue?) {
        for pair in list?.array ?? [] {
            guard let pair = pair.array, pair.count == 2, let number = pair[0].string else {
                continue
            }
            icons[number] = pair[1].string
        }
    }

    /// Reads a list of windows, and returns it. If the last window of a list is damaged, it may seem
    /// to end too early, and the mark that it is private follows it.
    @discardableResult
    mutating func readWindows(
        _ name: String, of owner: JSONValue, at place: String = "", isRequired: Bool = false,
        isPrivate: Bool = false, as kind: SessionKind = .regular, isClosed: Bool = false
    ) -> [JSONValue] {
        let windows = list(name, of: owner, place + name, isRequired: isRequired)
        for (index, window) in windows.enumerated() {
            let isLast = index == windows.count - 1
            let isSelected = owner["selectedWindow"]?.integer == Int64(index) + 1
            read(
                window, "\(place)\(name)[\(index)]",
                isPrivate: isPrivate || window["isPrivate"]?.bool == true
                    || isLast && owner["isPrivate"]?.bool == true,
                as: kind, isSelected: isSelected && kind == .regular && !isClosed,
                isClosed: isClosed)
        }
        return windows
    }

    /// Reads closed tabs outside of any window. They are there if a damaged window seemed to end
    /// before them. Their own session is private if any window that they may belong to is private.
    /// That is the last one of each list.
    private mutating func readStrays(
        _ owner: JSONValue, _ location: String, after lists: [[JSONValue]]
    ) {
        let isPrivate =
            owner["isPrivate"]?.bool == true
            || lists.contains { $0.last?["isPrivate"]?.bool == true }
        var draft = SessionDraft(
            id: id(location + "._closedTabs", .recentlyClosed, isPrivate: isPrivate),
            location: location)
        readClosedTabs(owner, location, &draft)
        guard !draft.tabs.isEmpty else { return }
        reading.log.repair(at: location, "closed tabs that are in no window are kept")
        reading.drafts.append(draft)
    }

    private mutating func readSavedGroups(_ groups: [JSONValue]) {
        guard !groups.isEmpty else { return }
        var draft = SessionDraft(
            id: id("savedGroups", .recentlyClosed, isPrivate: false), location: "savedGroups")
        draft.attributes.properties["firefox.is-saved-groups"] = "true"
        readClosedGroups(groups, "savedGroups", &draft)
        reading.drafts.append(draft)
    }

    /// Returns a list, even if its name is damaged.
    mutating func list(
        _ name: String, of object: JSONValue, _ location: String, isRequired: Bool = false
    ) -> [JSONValue] {
        JSONShapes.firefoxDesktop.list(
            name, of: object, at: location, isRequired: isRequired, &reading.log)
    }

    private func id(_ location: String, _ kind: SessionKind, isPrivate: Bool) -> SessionID {
        SessionID(
            window: identity.identifier("window", location),
            kind: isPrivate ? kind.inIncognito : kind)
    }

    private mutating func read(
        _ window: JSONValue, _ location: String, isPrivate: Bool, as kind: SessionKind,
        isSelected: Bool, isClosed: Bool
    ) {
        guard window.object != nil else {
            reading.log.loss(at: location, "a window is not an object and is left out")
            return
        }
        var draft = SessionDraft(
            id: id(location, kind, isPrivate: isPrivate),
            attributes: attributes(window, isClosed: isClosed), location: location)
        if isSelected { draft.attributes.properties["firefox.is-selected-window"] = "true" }
        readGroups(of: window, location, &draft, isClosed: false)
        let pages = crashPages.count
        let tabs = list("tabs", of: window, location + ".tabs", isRequired: true)
        for (index, item) in tabs.enumerated() {
            add(item, "\(location).tabs[\(index)]", to: &draft)
        }
        markSplitViews(of: window, location, &draft)
        select(window["selected"], location, &draft)
        let hasOffered = !draft.tabs.isEmpty || crashPages.count == pages
        if hasOffered { reading.drafts.append(draft) }
        var closed = SessionDraft(
            id: id(location, .recentlyClosed, isPrivate: isPrivate), location: location)
        readClosedTabs(window, location, &closed)
        if !closed.tabs.isEmpty { reading.drafts.append(closed) }
    }

    private mutating func readClosedTabs(
        _ window: JSONValue, _ location: String, _ draft: inout SessionDraft
    ) {
        let closed = list("_closedTabs", of: window, location + "._closedTabs")
        // The tab that was closed last is the first of the list. Here, it comes last.
        for (index, item) in closed.enumerated().reversed() {
            addClosed(item, "\(location)._closedTabs[\(index)]", group: nil, to: &draft)
        }
        let groups = list("closedGroups", of: window, location + ".closedGroups")
        readClosedGroups(groups, location + ".closedGroups", &draft)
        readGroups(of: window, location, &draft, isClosed: true)
    }

    private mutating func readClosedGroups(
        _ groups: [JSONValue], _ location: String, _ draft: inout SessionDraft
    ) {
        for (index, item) in groups.enumerated() {
            let location = "\(location)[\(index)]"
            var group = group(item, location)
            var former = FormerPlace()
            former.time = item.moment("closedAt")
            // Its tabs were closed together.
            former.batch = group.id
            group.closedFrom = former
            draft.nodes.append(group)
            let tabs = list("tabs", of: item, location + ".tabs", isRequired: true)
            for (index, tab) in tabs.enumerated() {
                addClosed(tab, "\(location).tabs[\(index)]", group: group.id, to: &draft)
            }
        }
    }

    private mutating func addClosed(
        _ item: JSONValue, _ location: String, group: NodeID?, to draft: inout SessionDraft
    ) {
        guard item["state"]?.object != nil else {
            reading.log.loss(at: location + ".state", "a closed tab cannot be read")
            return
        }
        let before = draft.tabs.count
        add(item["state"] ?? .null, location + ".state", to: &draft)
        guard draft.tabs.count > before else { return }
        let last = draft.tabs.count - 1
        if let group { draft.tabs[last].metadata.group = group }
        // What follows is stored in addition to its state.
        var tab = draft.tabs[last].metadata
        if tab.title.isEmpty { tab.title = item["title"]?.string ?? "" }
        if tab.faviconURL.isEmpty { tab.faviconURL = icon(item["image"]) }
        var former = FormerPlace()
        former.time = item.moment("closedAt")
        former.index = item["pos"]?.integer.flatMap { Int(exactly: $0) }
        tab.closedFrom = former
        draft.tabs[last].metadata = tab
    }

    /// Returns the address of an icon. In files of 2019, it is a number in their list of icons.
    private func icon(_ value: JSONValue?) -> String {
        guard let text = value?.string else { return "" }
        return icons[text] ?? text
    }

    private mutating func add(
        _ item: JSONValue, _ location: String, to draft: inout SessionDraft
    ) {
        guard item.object != nil else {
            reading.log.loss(at: location, "a tab is not an object and is left out")
            return
        }
        guard !takeCrashPage(item, location, isPrivate: draft.id.isIncognito),
            reading.nextTab(at: location) != nil
        else { return }
        var tab = TabDraft(
            firefox: item, id: identity.identifier("tab", location), at: location, &reading.log)
        tab.metadata.faviconURL = icon(item["image"])
        tab.metadata.group = item["groupId"]?.string.map {
            identity.identifier("group", $0)
        }
        draft.tabs.append(tab)
    }
}

extension JSONValue {
    /// Returns a time in milliseconds since 1970; unknown if there is none.
    func moment(_ name: String) -> Timestamp {
        self[name]?.number.map { Timestamp(milliseconds: $0) } ?? .unknown
    }
}

extension JSONShapes {
    /// The shapes of `sessionstore` files of Firefox for desktop.
    static let firefoxDesktop = JSONShapes(lists: [
        List(name: "windows", marks: ["tabs"], owners: ["", "lastSessionState"], isTelling: true),
        List(name: "_closedWindows", marks: ["tabs"], owners: [""], isTelling: true),
        List(name: "savedGroups", marks: ["tabs"], owners: [""], isTelling: true),
        List(
            name: "closedGroups", marks: ["tabs"], owners: ["windows", "_closedWindows"],
            isTelling: true),
        List(
            name: "tabs", marks: ["entries", "state"],
            owners: ["windows", "_closedWindows", "closedGroups", "savedGroups"]),
        List(
            name: "_closedTabs", marks: ["state"], owners: ["windows", "_closedWindows"],
            isTelling: true),
        List(name: "groups", marks: ["collapsed"], owners: ["windows", "_closedWindows"]),
        List(name: "entries", marks: ["url"], owners: ["tabs", "state"]),
        List(name: "children", marks: ["url"], owners: ["entries", "children"]),
    ])
}
