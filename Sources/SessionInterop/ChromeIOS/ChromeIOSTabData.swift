import BrowserSessions
import Foundation

/// The content of a tab's `data.pb`, as far as it can be read.
struct ChromeIOSTabData {
    var metadata: ChromeIOSMetadata?
    var userAgent: Int32 = 0
    var history = NavigationHistory()

    init(_ bytes: [UInt8], at location: String, _ log: inout ProblemLog) {
        if let message = ChromeIOSState(message: bytes) {
            (metadata, userAgent) = (message.metadata, message.userAgent)
            adopt(message.navigation ?? ChromeIOSNavigation(), at: location, &log)
            return
        }
        let walk = WireFields(bytes[...])
        for field in walk.fields + [walk.failure?.partial].compactMap({ $0 }) {
            switch (field.number, field.value) {
            case (2, .bytes(let payload)):
                metadata = ChromeIOSMetadata(message: payload)
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
        _ navigation: ChromeIOSNavigation, at location: String, _ log: inout ProblemLog
    ) {
        history.entries = navigation.items.map { NavigationEntry($0) }
        let index = Int(navigation.current)
        if history.entries.indices.contains(index) {
            history.currentIndex = index
        } else if !history.entries.isEmpty {
            history.currentIndex = history.entries.count - 1
            log.repair(at: location, "the current entry is out of range; the last one is current")
        }
    }

    private func salvaged(_ payload: ArraySlice<UInt8>) -> ChromeIOSNavigation {
        var navigation = ChromeIOSNavigation()
        for field in WireFields(payload).fields {
            switch (field.number, field.value) {
            case (1, .varint(let index)):
                navigation.current = Int32(truncatingIfNeeded: index)
            case (2, .bytes(let bytes)):
                if let item = ChromeIOSNavigationItem(message: bytes) {
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
    fileprivate init(_ item: ChromeIOSNavigationItem) {
        let (url, virtual) = (item.url, item.virtualURL)
        self.init(
            url: url.isEmpty ? virtual : url,
            displayURL: url.isEmpty || virtual == url ? "" : virtual,
            title: item.title, time: Timestamp(item.time),
            referrer: item.referrer?.url ?? "", referrerPolicy: item.referrer?.policy ?? 0,
            userAgent: UserAgent(rawValue: item.userAgent),
            requestHeaders: item.headers?.headers ?? [])
        if !item.fileResource.isEmpty {
            properties["chrome-ios.file-resource"] = Data(item.fileResource).base64EncodedString()
        }
    }
}

extension TabMetadata {
    mutating func adopt(_ metadata: ChromeIOSMetadata) {
        (url, title) = (metadata.page?.url ?? "", metadata.page?.title ?? "")
        createdAt = Timestamp(metadata.creationTime)
        lastActiveAt = Timestamp(metadata.lastActiveTime)
        navigationItemCount = metadata.navigationItemCount
    }
}
