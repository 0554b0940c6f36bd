import BrowserSessions
import Foundation

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
        var place: Data
        var title: String
        var color: Int32
        var collapsed: Bool
    }

    struct Tab: Codable {
        var id: String
        var place: Data
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
        /// The states by name.
        var states: [String: Data]?
    }
}

extension SessionFile {
    init(json bytes: [UInt8]) throws(StorageError) {
        do {
            self = try JSONDecoder().decode(SessionFile.self, from: Data(bytes))
        } catch {
            throw StorageError(.corrupted, "a window in JSON is damaged", underlying: error)
        }
    }

    func json() throws(StorageError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(self))
        } catch {
            throw StorageError(.failed, "a window cannot be written as JSON", underlying: error)
        }
    }

    /// Returns `nil` if there is no such session.
    init?(_ id: SessionID, of book: SessionBook) {
        guard let entry = book.sessions[id] else { return nil }
        let attributes = entry.attributes
        title = attributes.title
        active = attributes.activeTab?.description
        created = attributes.createdAt.microseconds
        lastActive = attributes.lastActiveAt.microseconds
        properties = attributes.properties
        groups = entry.sortedNodes.map {
            Group(
                id: $0.id.description, place: Data($0.place.bytes), title: $0.name,
                color: $0.color.rawValue, collapsed: $0.isCollapsed)
        }
        tabs = entry.orderedTabs.map { tab in
            let states = book.states(of: tab.id, in: id.partition)
            return Tab(
                tab,
                states: Dictionary(
                    uniqueKeysWithValues: states.map { ($0.rawValue, Data($1)) }))
        }
    }

    func session(_ id: SessionID) throws(StorageError) -> RestoredSession {
        let attributes = SessionAttributes(
            title: title, activeTab: active.flatMap { TabID($0) },
            createdAt: Timestamp(microseconds: created),
            lastActiveAt: Timestamp(microseconds: lastActive), properties: properties)
        var session = RestoredSession(id: id, attributes: attributes, tabs: [], nodes: [])
        session.tabs.reserveCapacity(tabs.count)
        for tab in tabs { session.tabs.append(try tab.metadata()) }
        for group in groups { session.nodes.append(try group.node()) }
        return session
    }

    fileprivate static let damaged = StorageError(
        .corrupted, "a tab or a group in JSON is damaged")
}

extension SessionFile.Group {
    func node() throws(StorageError) -> StructureNode {
        guard let id = NodeID(id), let place = OrderKey(bytes: Array(place)) else {
            throw SessionFile.damaged
        }
        var node = StructureNode.group(
            id: id, name: title, color: TabGroupColor(rawValue: color), isCollapsed: collapsed)
        node.place = place
        return node
    }
}

extension SessionFile.Tab {
    init(_ tab: TabMetadata, states: [String: Data]) {
        self.init(
            id: tab.id.description, place: Data(tab.place.bytes), url: tab.url, title: tab.title,
            favicon: tab.faviconURL.isEmpty ? nil : tab.faviconURL,
            created: tab.createdAt.microseconds, lastActive: tab.lastActiveAt.microseconds,
            entries: tab.navigationItemCount, pinned: tab.isPinned ? true : nil,
            group: tab.group?.description, opener: tab.opener?.tab.description,
            openerEntry: tab.opener?.navigationIndex,
            properties: tab.properties.isEmpty ? nil : tab.properties,
            states: states.isEmpty ? nil : states)
    }

    func metadata() throws(StorageError) -> TabMetadata {
        guard let id = TabID(id), let place = OrderKey(bytes: Array(place)) else {
            throw SessionFile.damaged
        }
        return TabMetadata(
            id: id, place: place, url: url, title: title, faviconURL: favicon ?? "",
            createdAt: Timestamp(microseconds: created),
            lastActiveAt: Timestamp(microseconds: lastActive), navigationItemCount: entries,
            isPinned: pinned ?? false, group: group.flatMap { NodeID($0) },
            opener: opener.flatMap { TabID($0) }.map {
                TabOpener(tab: $0, navigationIndex: openerEntry ?? 0)
            },
            properties: properties ?? [:])
    }

    func blobs(partition: StoragePartition) throws(StorageError) -> [TabStateKey: [UInt8]] {
        guard let states, let id = TabID(id) else { return [:] }
        var result: [TabStateKey: [UInt8]] = [:]
        for (name, bytes) in states {
            guard let name = StateName(rawValue: name) else { throw SessionFile.damaged }
            result[TabStateKey(tab: id, name: name, partition: partition)] = [UInt8](bytes)
        }
        return result
    }
}
