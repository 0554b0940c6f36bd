import BrowserSessions
import SwiftProtobuf

/// A writer of the state folder of Chrome for iOS, which ``ChromeIOSReader`` reads.
struct ChromeIOSWriter {
    func write(_ sessions: [ExportedSession], _ losses: inout ExportLosses) throws(StorageError)
        -> [ExportedFile]
    {
        var files: [ExportedFile] = []
        var folders: Set<String> = []
        let names = names(of: sessions)
        var lastTab: Int32 = 0
        for session in sessions {
            let folder = folder(of: session.id, names, &folders)
            var directory = ChromeIOSDirectory(session, folder: folder, firstTab: lastTab + 1)
            files += try directory.files(&losses)
            lastTab += Int32(clamping: session.tabs.count)
        }
        return files
    }

    /// Returns the browser's names of the windows. Companions have the name of their window.
    private func names(of sessions: [ExportedSession]) -> [WindowID: String] {
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
    private func folder(
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

    private let session: ExportedSession
    private let folder: String
    private let firstTab: Int32

    init(_ session: ExportedSession, folder: String, firstTab: Int32) {
        (self.session, self.folder, self.firstTab) = (session, folder, firstTab)
    }

    mutating func files(_ losses: inout ExportLosses) throws(StorageError) -> [ExportedFile] {
        losses.countProperties(session.attributes.properties) { Self.written.contains($0) }
        var files = [
            ExportedFile(
                path: folder + "/" + ChromeIOSReader.metadataName,
                bytes: try bytes(of: list(&losses)))
        ]
        for (index, tab) in session.tabs.enumerated() {
            let id = firstTab + Int32(clamping: index)
            let directory = folder + "/" + ChromeIOSReader.directoryName(id)
            let data = try bytes(of: webState(tab, &losses))
            files.append(ExportedFile(path: directory + "/data.pb", bytes: data))
            losses.countProperties(tab.metadata.properties) { Self.written.contains($0) }
            if let native = tab.native {
                files.append(ExportedFile(path: directory + "/state.pb", bytes: native))
            }
        }
        return files
    }

    private func bytes(of message: some Message) throws(StorageError) -> [UInt8] {
        do {
            return try message.serializedBytes()
        } catch {
            throw StorageError(
                .tooLarge, "a tab is larger than the format holds", operation: "export",
                underlying: error)
        }
    }

    private func list(_ losses: inout ExportLosses) -> ChromeIos_WebStateList {
        let tabs = session.tabs
        let indexes = Dictionary(
            tabs.enumerated().map { ($1.metadata.id, Int32(clamping: $0)) },
            uniquingKeysWith: { first, _ in first })
        var list = ChromeIos_WebStateList()
        list.activeIndex = Int32(clamping: session.activeIndex ?? -1)
        list.pinnedItemCount = Int32(clamping: tabs.count(where: \.metadata.isPinned))
        list.items = tabs.enumerated().map { index, tab in
            var item = ChromeIos_WebStateListItem()
            item.identifier = firstTab + Int32(clamping: index)
            item.metadata = .init(tab)
            if let opener = tab.metadata.opener, let place = indexes[opener.tab] {
                item.opener.index = place
                // The opener may now have fewer entries.
                let last = tabs[Int(place)].history.entries.count - 1
                item.opener.navigationIndex = min(opener.navigationIndex, Int32(clamping: last))
            } else if tab.metadata.opener != nil {
                losses.add(.openers)
            }
            return item
        }
        let members = Dictionary(grouping: tabs.indices) { tabs[$0].metadata.group }
        list.groups = session.groups.compactMap { group in
            guard let places = members[group.id], let start = places.first else { return nil }
            var message = ChromeIos_TabGroup(group)
            message.range.start = Int32(clamping: start)
            message.range.count = Int32(clamping: places.count)
            return message
        }
        return list
    }

    private func webState(_ tab: ExportedTab, _ losses: inout ExportLosses) -> ChromeIos_WebState {
        var state = ChromeIos_WebState()
        state.hasOpener_p = tab.metadata.opener != nil
        state.userAgent =
            tab.metadata.properties[Self.prefix + "user-agent"].flatMap { Int32($0) } ?? 0
        state.navigation.lastCommittedItemIndex = Int32(clamping: tab.history.currentIndex ?? -1)
        for entry in tab.history.entries {
            state.navigation.items.append(.init(entry))
            losses.add(.pageStates, entry.pageState.isEmpty ? 0 : 1)
            losses.countProperties(entry.properties) { Self.written.contains($0) }
        }
        return state
    }
}
