import BrowserSessions

extension TabMetadata {
    private static let longestURL = 64 * 1024
    private static let longestTitle = 8 * 1024

    /// The metadata with an address and a title of limited length, because `data:` addresses may
    /// have megabytes. The history keeps them whole.
    var shortened: TabMetadata {
        guard url.utf8.count > Self.longestURL || title.utf8.count > Self.longestTitle else {
            return self
        }
        return cut(url: Self.longestURL, title: Self.longestTitle)
    }

    /// The minimal metadata that identifies the tab and how it was closed. Every store accepts it.
    var lean: TabMetadata {
        var copy = cut(url: 2048, title: 256)
        copy.properties = properties.filter {
            OwnProperty.isOwn($0.key) && $0.key.utf8.count + $0.value.utf8.count <= 512
        }
        copy.faviconURL = ""
        return copy
    }

    private func cut(url longestURL: Int, title longestTitle: Int) -> TabMetadata {
        var copy = self
        copy.url = url.cut(longestURL)
        copy.title = title.cut(longestTitle)
        return copy
    }
}
