import BrowserSessions

/// Reads one window file of Firefox for iOS, with its backup and the blobs of its tabs beside.
///
/// The browser gives up a whole window when one value of one tab is bad. Here only that value is
/// lost.
struct FirefoxIOSReader {
    let path: String
    let limits: ImportLimits
    let incognito: Bool

    static let primaryFolder = "window-data"
    static let backupFolder = "window-data-backup"
    static let blobFolder = "tab-session-data"

    /// The window that a file name names: `window-<UUID>`.
    static func window(ofFile name: String) -> WindowID? {
        name.hasPrefix("window-") ? WindowID(String(name.dropFirst(7))) : nil
    }

    private var name: String { lastComponent(path) }
    private var folder: String { parent(path) }

    func read() throws(StorageError) -> SourceReading {
        var reading = SourceReading(limits: limits)
        let (content, bytes) = try bestContent(&reading.log)
        let identity = SourceIdentity(.firefoxIOS, content: bytes)
        let named = content["id"]?.string.flatMap { WindowID($0) }
        let window = Self.window(ofFile: name) ?? named ?? identity.identifier("window")
        if let named, named != window {
            reading.log.repair(
                at: "id", "the window's id is not that of the file; the file's is used")
        } else if named == nil {
            reading.log.loss(at: "id", "the window's id cannot be read; the file's name is used")
        }
        var tabs = FirefoxIOSTabs(identity: identity, window: window, limits: limits)
        tabs.read(content.list("tabData")?.items ?? [], &reading) { blob(of: $0, &$1) }
        reading.drafts = drafts(window, tabs, content, &reading.log)
        return reading
    }

    private func drafts(
        _ window: WindowID, _ tabs: FirefoxIOSTabs, _ content: JSONValue, _ log: inout ProblemLog
    ) -> [SessionDraft] {
        let active = content["activeTabId"]?.string.flatMap { TabID($0) }
        if active == nil {
            log.loss(at: "activeTabId", "the active tab cannot be read; none is active")
        } else if !(tabs.open + tabs.offTheRecord).contains(where: { $0.metadata.id == active }) {
            log.note(at: "activeTabId", "the active tab is not in the window; none is active")
        }
        var drafts: [SessionDraft] = []
        for (kind, list) in [(SessionKind.regular, tabs.open), (.incognito, tabs.offTheRecord)] {
            if list.isEmpty, kind == .incognito || !tabs.offTheRecord.isEmpty { continue }
            let kind = incognito ? kind.offTheRecord : kind
            if let index = drafts.firstIndex(where: { $0.id.kind == kind }) {
                drafts[index].tabs += list
                continue
            }
            var draft = SessionDraft(id: SessionID(window: window, kind: kind))
            draft.tabs = list
            draft.location = "tabData"
            drafts.append(draft)
        }
        for index in drafts.indices
        where drafts[index].tabs.contains(where: { $0.metadata.id == active }) {
            drafts[index].attributes.activeTab = active
        }
        return drafts
    }

    /// The primary if it is sound, else the backup if that is, else what is left of the better one.
    private func bestContent(_ log: inout ProblemLog) throws(StorageError) -> (JSONValue, [UInt8]) {
        let isBackup = lastComponent(folder) == Self.backupFolder
        if isBackup { log.note(at: name, "only a backup of this window is there; it is used") }
        let primary = try SourceFile.read(path, limit: limits.maximumFileBytes)
        let first = FirefoxIOSContent(primary, limits)
        guard let damage = first.damage else { return (first.value, primary) }
        let backup = joined(joined(parent(folder), Self.backupFolder), name)
        if !isBackup, let bytes = try? SourceFile.read(backup, limit: limits.maximumFileBytes) {
            let second = FirefoxIOSContent(bytes, limits)
            if second.damage == nil || second.tabCount > first.tabCount {
                log.loss(at: damage.location, "\(damage.message); the backup is used instead")
                if let damage = second.damage {
                    log.loss(at: "backup, \(damage.location)", damage.message)
                }
                return (second.value, bytes)
            }
        }
        log.loss(
            at: damage.location,
            "\(damage.message) and there is no better backup; \(first.tabCount) tabs were found")
        return (first.value, primary)
    }

    private func blob(of tab: TabID, _ log: inout ProblemLog) -> [UInt8]? {
        let file = joined(joined(parent(folder), Self.blobFolder), "tab-\(tab)")
        do throws(StorageError) {
            return try SourceFile.read(file, limit: limits.maximumStateBytes)
        } catch  where error.code == .notFound {
            return nil
        } catch {
            log.loss(at: "blob of tab \(tab)", "the engine's state cannot be taken")
            return nil
        }
    }
}

/// A parsed window file and what is wrong with its form.
struct FirefoxIOSContent {
    let value: JSONValue
    let damage: (location: String, message: String)?

    init(_ bytes: [UInt8], _ limits: ImportLimits) {
        let (value, failures) = JSONParser.parse(
            bytes, shapes: .firefoxIOS, maximum: limits.maximumParts)
        self.value = value ?? .null
        if let failure = failures.first {
            damage = ("byte \(failure.offset)", "the file is damaged: \(failure.reason)")
        } else if value?.list("tabData") == nil {
            damage = ("tabData", "the list of tabs is missing")
        } else {
            damage = nil
        }
    }

    var tabs: [JSONValue] { value.list("tabData")?.items ?? [] }

    var tabCount: Int { tabs.count }
}
