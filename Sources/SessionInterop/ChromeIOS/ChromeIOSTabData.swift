import BrowserSessions
import Foundation
import SwiftProtobuf

/// The content of a tab's `data.pb`, as far as it can be read.
struct ChromeIOSTabData {
    var metadata: ChromeIos_WebStateMetadata?
    var userAgent: Int32 = 0
    var history = NavigationHistory()

    init(_ bytes: [UInt8], at location: String, _ log: inout ProblemLog) {
        if let message = try? ChromeIos_WebState(serializedBytes: bytes) {
            metadata = message.hasMetadata ? message.metadata : nil
            userAgent = message.userAgent
            adopt(message.navigation, at: location, &log)
            return
        }
        let walk = WireFields(bytes[...])
        for field in walk.fields + [walk.failure?.partial].compactMap({ $0 }) {
            switch (field.number, field.value) {
            case (2, .bytes(let payload)):
                metadata = try? ChromeIos_WebStateMetadata(serializedBytes: Array(payload))
            case (3, .varint(let value)): userAgent = Int32(truncatingIfNeeded: value)
            case (4, .bytes(let payload)): adopt(salvaged(payload), at: location, &log)
            default: break
            }
        }
        log.loss(
            at: location,
            "the tab's data is damaged; \(history.entries.count) history entries could be read")
    }

    private mutating func adopt(
        _ navigation: ChromeIos_Navigation, at location: String, _ log: inout ProblemLog
    ) {
        history.entries = navigation.items.map { NavigationEntry($0) }
        let index = Int(navigation.lastCommittedItemIndex)
        if history.entries.indices.contains(index) {
            history.currentIndex = index
        } else if !history.entries.isEmpty {
            history.currentIndex = history.entries.count - 1
            log.repair(at: location, "the current entry is out of range; the last one is current")
        }
    }

    private func salvaged(_ payload: ArraySlice<UInt8>) -> ChromeIos_Navigation {
        var navigation = ChromeIos_Navigation()
        for field in WireFields(payload).fields {
            switch (field.number, field.value) {
            case (1, .varint(let index)):
                navigation.lastCommittedItemIndex = Int32(truncatingIfNeeded: index)
            case (2, .bytes(let bytes)):
                if let item = try? ChromeIos_NavigationItem(serializedBytes: Array(bytes)) {
                    navigation.items.append(item)
                }
            default: break
            }
        }
        return navigation
    }
}

extension NavigationEntry {
    /// Creates an entry. An item may have only a virtual address.
    fileprivate init(_ item: ChromeIos_NavigationItem) {
        let url = text(item.url)
        let virtual = text(item.virtualURL)
        self.init(
            url: url.isEmpty ? virtual : url,
            displayURL: url.isEmpty || virtual == url ? "" : virtual,
            title: text(item.title),
            time: Timestamp(windowsMicroseconds: item.timestamp.microseconds),
            referrer: text(item.referrer.url),
            referrerPolicy: item.referrer.policy,
            userAgent: UserAgent(rawValue: item.userAgent),
            requestHeaders: item.httpRequestHeaders.headers.map {
                HTTPHeader(name: text($0.name), value: text($0.value))
            })
        if !item.securityScopedFileResource.isEmpty {
            properties["chrome-ios.file-resource"] =
                item.securityScopedFileResource.base64EncodedString()
        }
    }
}

extension TabMetadata {
    mutating func adopt(_ metadata: ChromeIos_WebStateMetadata) {
        url = text(metadata.activePage.pageURL)
        title = text(metadata.activePage.pageTitle)
        createdAt = Timestamp(windowsMicroseconds: metadata.creationTime.microseconds)
        lastActiveAt = Timestamp(windowsMicroseconds: metadata.lastActiveTime.microseconds)
        navigationItemCount = metadata.navigationItemCount
    }
}

/// Returns text with the replacement character in place of damaged UTF-8.
func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
