import BrowserSessions

/// A reader of one window file of Firefox for iOS, and of the blobs of its tabs next to it.
///
/// The browser gives up a whole window if one value of one tab is invalid. Here, only that value
/// is lost.
struct FirefoxIOSReader {
    let path: String
    let limits: ImportLimits

    private var name: String { lastComponent(path) }
    private var folder: String { parent(path) }

    func read() throws(StorageError) -> SourceReading {
        let bytes = try SourceFile.read(path, limit: limits.maximumFileBytes)
        let (value, failures) = JSONParser.parse(
            bytes, shapes: .firefoxIOS, maximum: limits.maximumParts)
        let content = value ?? .null
        var reading = SourceReading(limits: limits)
        for failure in failures { reading.log.loss(failure) }
        let items = JSONShapes.firefoxIOS.list(
            "tabData", of: content, at: "tabData", isRequired: true, &reading.log)
        reading.isWhole = !reading.log.hasLoss
        if lastComponent(folder) == FirefoxIOSFormat.backupFolder {
            reading.log.note(at: name, "this is the backup of the window")
        }
        let identity = SourceIdentity(.firefoxIOS, content: bytes)
        let named = content["id"]?.string.flatMap { WindowID($0) }
        let window = FirefoxIOSFormat.window(ofFile: name) ?? named ?? identity.identifier("window")
        if let named, named != window {
            reading.log.repair(
                at: "id", "the window's id is not that of the file; the file's is used")
        } else if named == nil {
            reading.log.loss(at: "id", "the window's id cannot be read; the file's name is used")
        }
        let blobs = joined(parent(folder), FirefoxIOSFormat.blobFolder)
        var tabs = FirefoxIOSTabs(
            identity: identity, window: window, blobs: blobs, limit: limits.maximumStateBytes)
        tabs.read(items, &reading)
        reading.drafts = drafts(window, tabs, content, &reading.log)
        return reading
    }

    private func drafts(
        _ window: WindowID, _ tabs: FirefoxIOSTabs, _ content: JSONValue, _ log: inout ProblemLog
    ) -> [SessionDraft] {
        let active = content["activeTabId"]?.string.flatMap { TabID($0) }
        if active == nil {
            log.loss(at: "activeTabId", "the active tab cannot be read; none is active")
        } else if !(tabs.open + tabs.incognito).contains(where: { $0.metadata.id == active }) {
            log.note(at: "activeTabId", "the active tab is not in the window; none is active")
        }
        var drafts: [SessionDraft] = []
        for (kind, list) in [(SessionKind.regular, tabs.open), (.incognito, tabs.incognito)] {
            if list.isEmpty, kind == .incognito || !tabs.incognito.isEmpty { continue }
            var draft = SessionDraft(
                id: SessionID(window: window, kind: kind), tabs: list, location: "tabData")
            if list.contains(where: { $0.metadata.id == active }) {
                draft.attributes.activeTab = active
            }
            drafts.append(draft)
        }
        return drafts
    }
}

extension JSONShapes {
    /// The shapes of window files of Firefox for iOS.
    static let firefoxIOS = JSONShapes(lists: [
        List(
            name: "tabData",
            marks: ["siteUrl", "lastUsedTime", "createdAtTime", "isPrivate"],
            owners: [""])
    ])
}
