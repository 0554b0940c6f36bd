import Foundation
import SwiftProtobuf

@testable import BrowserSessions

typealias TabMessage = Browsersessions_V1_TabMetadata
typealias NodeMessage = Browsersessions_V1_StructureNode
typealias AttributesMessage = Browsersessions_V1_SessionAttributes
typealias HistoryMessage = Browsersessions_V1_NavigationHistory
typealias EntryMessage = Browsersessions_V1_NavigationEntry

// The model's values as generated messages: what another program would make of the schema.

extension TabMessage {
    init(_ tab: TabMetadata) {
        self.init()
        orderKey = Data(tab.place.bytes)
        url = tab.url
        title = tab.title
        createdAt = tab.createdAt.microseconds
        lastActiveAt = tab.lastActiveAt.microseconds
        navigationItemCount = tab.navigationItemCount
        zone = tab.zone.rawValue
        parent = Data(tab.parent?.bytes ?? [])
        if let origin = tab.opener {
            opener.tab = Data(origin.tab.bytes)
            opener.navigationIndex = origin.navigationIndex
        }
        faviconURL = tab.faviconURL
        properties = tab.properties
        edge = tab.edge.rawValue
        name = tab.name
        container = Data(tab.container?.bytes ?? [])
        weight = tab.weight
        isFolded = tab.isFolded
        isHidden = tab.isHidden
        if let page = tab.pinnedPage {
            pinnedPage.url = page.url
            pinnedPage.title = page.title
            pinnedPage.faviconURL = page.faviconURL
        }
        if let place = tab.closedFrom { closedFrom = Browsersessions_V1_FormerPlace(place) }
    }
}

extension Browsersessions_V1_FormerPlace {
    init(_ place: FormerPlace) {
        self.init()
        session = place.session
        parent = Data(place.parent?.bytes ?? [])
        edge = place.edge.rawValue
        previous = Data(place.previous?.bytes ?? [])
        indexPlusOne = place.index.map { Int32($0) + 1 } ?? 0
        time = place.time.microseconds
        reason = place.reason
        batch = Data(place.batch?.bytes ?? [])
        orderKey = Data(place.place?.bytes ?? [])
        zone = place.zone.rawValue
        weight = place.weight
    }
}

extension NodeMessage {
    init(_ node: StructureNode) {
        self.init()
        orderKey = Data(node.place.bytes)
        kind = node.kind.rawValue
        parent = Data(node.parent?.bytes ?? [])
        edge = node.edge.rawValue
        zone = node.zone.rawValue
        weight = node.weight
        name = node.name
        color = node.color.rawValue
        colorText = node.colorText
        icon = node.icon
        isCollapsed = node.isCollapsed
        isFolded = node.isFolded
        container = Data(node.container?.bytes ?? [])
        axis = node.axis.rawValue
        link = Data(node.link?.bytes ?? [])
        active = Data(node.active?.bytes ?? [])
        if let place = node.closedFrom { closedFrom = Browsersessions_V1_FormerPlace(place) }
        properties = node.properties
        style = node.style
    }
}

extension AttributesMessage {
    init(_ attributes: SessionAttributes) {
        self.init()
        title = attributes.title
        activeTab = Data(attributes.activeTab?.bytes ?? [])
        createdAt = attributes.createdAt.microseconds
        lastActiveAt = attributes.lastActiveAt.microseconds
        properties = attributes.properties
    }
}

extension HistoryMessage {
    init(_ history: NavigationHistory) {
        self.init()
        entries = history.entries.map { EntryMessage($0) }
        currentIndexPlusOne = history.currentIndex.map { Int32($0) + 1 } ?? 0
    }
}

extension EntryMessage {
    init(_ entry: NavigationEntry) {
        self.init()
        url = entry.url
        displayURL = entry.displayURL
        title = entry.title
        time = entry.time.microseconds
        referrer = entry.referrer
        referrerPolicy = entry.referrerPolicy
        userAgent = entry.userAgent.rawValue
        requestHeaders = entry.requestHeaders.map { header in
            var message = Browsersessions_V1_HTTPHeader()
            message.name = header.name
            message.value = header.value
            return message
        }
        pageState = Data(entry.pageState)
        subframes = entry.subframes.map { EntryMessage($0) }
        properties = entry.properties
    }
}

extension Message {
    /// The bytes with maps by ascending key, as the hand-written codec orders them.
    func canonicalBytes() throws -> [UInt8] {
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        return try serializedBytes(options: options)
    }
}
