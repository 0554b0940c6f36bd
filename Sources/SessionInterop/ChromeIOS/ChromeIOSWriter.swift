import BrowserSessions
import Foundation

/// A writer of the state folder of Chrome for iOS, which ``ChromeIOSReader`` reads.
enum ChromeIOSWriter: FormatWriter {
    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) -> [ExportedFile] {
        var files: [ExportedFile] = []
        var folders: Set<String> = []
        let names = names(of: sessions)
        var lastTab: Int32 = 0
        for session in sessions {
            let folder = folder(of: session.id, names, &folders)
            files += ChromeIOSDirectory(session: session, folder: folder, firstTab: lastTab + 1)
                .files(&losses)
            lastTab += Int32(clamping: session.tabs.count)
        }
        return files
    }

    /// Returns the browser's names of the windows. Companions have the name of their window.
    private static func names(of sessions: [ExportedSession]) -> [WindowID: String] {
        let suffix = ChromeIOSSessionName.inactiveSuffix
        var names: [WindowID: String] = [:]
        for session in sessions where names[session.id.window] == nil {
            var given = session.attributes.properties[ChromeIOSDirectory.nameProperty] ?? ""
            if given.hasSuffix(suffix) { given.removeLast(suffix.count) }
            let isName = !given.isEmpty && !given.hasPrefix(".") && !given.contains("/")
            if isName { names[session.id.window] = given }
        }
        return names
    }

    /// Returns the browser's name of the window; its identifier if there is none.
    private static func folder(
        of id: SessionID, _ names: [WindowID: String], _ taken: inout Set<String>
    ) -> String {
        let root = id.partition == .incognito ? "OTR/SessionStorage/" : "SessionStorage/"
        let suffix = id.kind.onTheRecord == .inactive ? ChromeIOSSessionName.inactiveSuffix : ""
        let name = (names[id.window] ?? id.window.description) + suffix
        guard !taken.insert(root + name).inserted else { return root + name }
        let other = root + WindowID.random().description + suffix
        taken.insert(other)
        return other
    }
}

/// The files of one session.
private struct ChromeIOSDirectory {
    static let nameProperty = "chrome-ios.session-id"
    private static let prefix = "chrome-ios."
    private static let written: Set<String> = [
        nameProperty, prefix + "user-agent", prefix + "file-resource",
    ]

    let session: ExportedSession
    let folder: String
    let firstTab: Int32

    func files(_ losses: inout ExportLosses) -> [ExportedFile] {
        losses.countProperties(session.attributes.properties) { Self.written.contains($0) }
        let list = list(&losses)
        var files = [ExportedFile(path: folder + "/" + ChromeIOSList.fileName, bytes: list)]
        for (index, tab) in session.tabs.enumerated() {
            let id = firstTab + Int32(clamping: index)
            let directory = folder + "/" + ChromeIOSReader.directoryName(id)
            files.append(
                ExportedFile(path: directory + "/data.pb", bytes: state(tab, &losses).bytes))
            losses.countProperties(tab.metadata.properties) { Self.written.contains($0) }
            if let native = tab.native {
                files.append(ExportedFile(path: directory + "/state.pb", bytes: native))
            }
        }
        return files
    }

    private func list(_ losses: inout ExportLosses) -> [UInt8] {
        let tabs = session.tabs
        let indexes = Dictionary(firstOf: tabs.enumerated().map { ($1.metadata.id, $0) })
        var list = WireWriter()
        for (index, tab) in tabs.enumerated() {
            var item = ChromeIOSItem()
            item.identifier = firstTab + Int32(clamping: index)
            item.metadata = ChromeIOSMetadata(tab)
            if let opener = tab.metadata.opener, let place = indexes[opener.tab] {
                // The opener may now have fewer entries.
                let last = tabs[place].history.entries.count - 1
                item.opener = ChromeIOSNumbers(
                    Int64(place), Int64(min(Int(opener.navigationIndex), last)))
            } else if tab.metadata.opener != nil {
                losses.add(.openers)
            }
            list.message(1) { item.visitFields(&$0) }
        }
        list.int32(2, Int32(clamping: session.activeIndex ?? -1))
        list.int32(3, Int32(clamping: tabs.count(where: \.metadata.isPinned)))
        let members = Dictionary(grouping: tabs.indices) { tabs[$0].metadata.group }
        for group in session.groups {
            guard let places = members[group.id], let start = places.first else { continue }
            var message = ChromeIOSGroup()
            message.range = ChromeIOSNumbers(Int64(start), Int64(places.count))
            message.title = group.name
            message.color = group.color.name == nil ? 0 : group.color.rawValue
            message.isCollapsed = group.isCollapsed
            message.id = ChromeIOSNumbers(
                Int64(bitPattern: group.id.low), Int64(bitPattern: group.id.high))
            list.message(4) { message.visitFields(&$0) }
        }
        return list.bytes
    }

    private func state(_ tab: ExportedTab, _ losses: inout ExportLosses) -> WireWriter {
        var navigation = ChromeIOSNavigation()
        navigation.current = Int32(clamping: tab.history.currentIndex ?? -1)
        for entry in tab.history.entries {
            navigation.items.append(ChromeIOSNavigationItem(entry))
            losses.add(.pageStates, entry.pageState.isEmpty ? 0 : 1)
            losses.countProperties(entry.properties) { Self.written.contains($0) }
        }
        let userAgent = tab.metadata.properties[Self.prefix + "user-agent"].flatMap { Int32($0) }
        var state = ChromeIOSState(
            hasOpener: tab.metadata.opener != nil, userAgent: userAgent ?? 0,
            navigation: navigation)
        var writer = WireWriter()
        state.visitFields(&writer)
        return writer
    }
}

extension ChromeIOSMetadata {
    /// Creates the metadata of an item for a tab. An unknown time is left out.
    fileprivate init(_ tab: ExportedTab) {
        self.init()
        creationTime = tab.metadata.createdAt.chromeIOS
        lastActiveTime = tab.metadata.lastActiveAt.chromeIOS
        navigationItemCount = Int32(clamping: tab.history.entries.count)
        let page = ChromeIOSPage(title: tab.metadata.title, url: tab.metadata.url)
        if page != ChromeIOSPage() { self.page = page }
    }
}

extension ChromeIOSNavigationItem {
    fileprivate init(_ entry: NavigationEntry) {
        self.init()
        (url, title, time) = (entry.url, entry.title, entry.time.chromeIOS)
        virtualURL = entry.displayURL.isEmpty ? entry.url : entry.displayURL
        userAgent = entry.userAgent.rawValue
        if !entry.referrer.isEmpty || entry.referrerPolicy != 0 {
            referrer = ChromeIOSReferrer(url: entry.referrer, policy: entry.referrerPolicy)
        }
        if !entry.requestHeaders.isEmpty {
            headers = ChromeIOSHeaders(headers: entry.requestHeaders)
        }
        if let resource = entry.properties["chrome-ios.file-resource"] {
            fileResource = Data(base64Encoded: resource).map { [UInt8]($0) } ?? []
        }
    }
}
