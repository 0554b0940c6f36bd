import BrowserSessions
import Foundation
import SwiftProtobuf

extension ChromeIos_WebStateMetadata {
    /// Creates the item of the list for a tab. An unknown time is left out.
    init(_ tab: ExportedTab) {
        self.init()
        if let time = ChromeIos_Timestamp(tab.metadata.createdAt) { creationTime = time }
        if let time = ChromeIos_Timestamp(tab.metadata.lastActiveAt) { lastActiveTime = time }
        navigationItemCount = Int32(clamping: tab.history.entries.count)
        guard !tab.metadata.url.isEmpty || !tab.metadata.title.isEmpty else { return }
        activePage.pageURL = Data(tab.metadata.url.utf8)
        activePage.pageTitle = Data(tab.metadata.title.utf8)
    }
}

extension ChromeIos_Timestamp {
    /// Creates a time; `nil` if it is unknown.
    init?(_ time: BrowserSessions.Timestamp) {
        guard time != .unknown else { return nil }
        self.init()
        microseconds = time.windowsMicroseconds
    }
}

extension ChromeIos_TabGroup {
    /// Creates the group without its range.
    init(_ group: StructureNode) {
        self.init()
        title = Data(group.name.utf8)
        color = group.color.name == nil ? 0 : group.color.rawValue
        collapsed = group.isCollapsed
        tabGroupID.high = group.id.high
        tabGroupID.low = group.id.low
    }
}

extension ChromeIos_NavigationItem {
    init(_ entry: NavigationEntry) {
        self.init()
        url = Data(entry.url.utf8)
        virtualURL = Data((entry.displayURL.isEmpty ? entry.url : entry.displayURL).utf8)
        title = Data(entry.title.utf8)
        if let time = ChromeIos_Timestamp(entry.time) { timestamp = time }
        userAgent = entry.userAgent.rawValue
        if !entry.referrer.isEmpty || entry.referrerPolicy != 0 {
            referrer.url = Data(entry.referrer.utf8)
            referrer.policy = entry.referrerPolicy
        }
        for header in entry.requestHeaders {
            var message = ChromeIos_HttpHeader()
            message.name = Data(header.name.utf8)
            message.value = Data(header.value.utf8)
            httpRequestHeaders.headers.append(message)
        }
        if let resource = entry.properties["chrome-ios.file-resource"],
            let bytes = Data(base64Encoded: resource)
        {
            securityScopedFileResource = bytes
        }
    }
}
