import BrowserSessions

/// The content of a window's JSON file.
struct SessionFile: Codable {
    var title: String
    var active: String?
    var created: Int64
    var lastActive: Int64
    var properties: [String: String]
    var groups: [Group]
    var tabs: [Tab]

    struct Group: Codable {
        var id: String
        /// The place in hexadecimal.
        var place: String
        var title: String
        var color: Int32
        var collapsed: Bool
    }

    struct Tab: Codable {
        var id: String
        /// The place in hexadecimal.
        var place: String
        var url: String
        var title: String
        var favicon: String?
        var created: Int64
        var lastActive: Int64
        var entries: Int32
        var pinned: Bool?
        var group: String?
        var opener: String?
        var openerEntry: Int32?
        var properties: [String: String]?
        /// The states in Base64, by name.
        var states: [String: String]?
    }
}

extension SessionFile {
    init(_ entry: SessionBook.Entry, partition: StoragePartition, states: [TabStateKey: [UInt8]]) {
        let attributes = entry.attributes
        title = attributes.title
        active = attributes.activeTab?.description
        created = attributes.createdAt.microseconds
        lastActive = attributes.lastActiveAt.microseconds
        properties = attributes.properties
        groups = entry.sortedNodes.map {
            Group(
                id: $0.id.description, place: $0.place.description, title: $0.name,
                color: $0.color.rawValue, collapsed: $0.isCollapsed)
        }
        tabs = entry.orderedTabs.map { tab in
            var own: [String: String] = [:]
            for name in [StateName.native, .navigation] where !states.isEmpty {
                let key = TabStateKey(tab: tab.id, name: name, partition: partition)
                own[name.rawValue] = states[key].map { Base64.encode($0) }
            }
            return Tab(tab, states: own)
        }
    }

    var attributes: SessionAttributes {
        SessionAttributes(
            title: title, activeTab: active.flatMap { TabID($0) },
            createdAt: Timestamp(microseconds: created),
            lastActiveAt: Timestamp(microseconds: lastActive), properties: properties)
    }

    var nodes: [StructureNode] {
        groups.compactMap { group in
            guard let id = TabGroupID(group.id), let place = OrderKey(hexadecimal: group.place)
            else {
                return nil
            }
            var node = StructureNode.group(
                id: id, name: group.title, color: TabGroupColor(rawValue: group.color),
                isCollapsed: group.collapsed)
            node.place = place
            return node
        }
    }

    func session(_ id: SessionID) throws(StorageError) -> RestoredSession {
        RestoredSession(id: id, attributes: attributes, tabs: try metadata(), nodes: nodes)
    }

    func metadata() throws(StorageError) -> [TabMetadata] {
        var result: [TabMetadata] = []
        result.reserveCapacity(tabs.count)
        for tab in tabs { result.append(try tab.metadata()) }
        return result
    }
}

extension SessionFile.Tab {
    init(_ tab: TabMetadata, states: [String: String]) {
        self.init(
            id: tab.id.description, place: tab.place.description, url: tab.url, title: tab.title,
            favicon: tab.faviconURL.isEmpty ? nil : tab.faviconURL,
            created: tab.createdAt.microseconds, lastActive: tab.lastActiveAt.microseconds,
            entries: tab.navigationItemCount, pinned: tab.isPinned ? true : nil,
            group: tab.group?.description, opener: tab.opener?.tab.description,
            openerEntry: tab.opener?.navigationIndex,
            properties: tab.properties.isEmpty ? nil : tab.properties,
            states: states.isEmpty ? nil : states)
    }

    func metadata() throws(StorageError) -> TabMetadata {
        guard let id = TabID(id), let place = OrderKey(hexadecimal: place) else {
            throw StorageError(.corrupted, "a tab in JSON has no id or place")
        }
        return TabMetadata(
            id: id, place: place, url: url, title: title, faviconURL: favicon ?? "",
            createdAt: Timestamp(microseconds: created),
            lastActiveAt: Timestamp(microseconds: lastActive), navigationItemCount: entries,
            isPinned: pinned ?? false, group: group.flatMap { TabGroupID($0) },
            opener: opener.flatMap { TabID($0) }.map {
                TabOpener(tab: $0, navigationIndex: openerEntry ?? 0)
            },
            properties: properties ?? [:])
    }

    func blobs(partition: StoragePartition) throws(StorageError) -> [TabStateKey: [UInt8]] {
        guard let states, let id = TabID(id) else { return [:] }
        var result: [TabStateKey: [UInt8]] = [:]
        for (name, text) in states {
            guard let name = StateName(rawValue: name), let bytes = Base64.decode(text) else {
                throw StorageError(.corrupted, "the state of a tab in JSON is damaged")
            }
            result[TabStateKey(tab: id, name: name, partition: partition)] = bytes
        }
        return result
    }
}

extension OrderKey {
    /// Creates a key from its ``description``; `nil` if the text is anything else.
    fileprivate init?(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            bytes.append(UInt8(16 * digits[index] + digits[index + 1]))
        }
        self.init(bytes: bytes)
    }
}
