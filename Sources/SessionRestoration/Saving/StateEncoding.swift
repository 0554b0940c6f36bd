import BrowserModel
import BrowserSessions

/// The blobs of a tab's state, within the store's size limit.
struct StateEncoding {
    /// The blobs by name; `nil` for a blob that the tab does not have.
    private(set) var blobs: [StateName: [UInt8]?] = [:]
    /// The sizes of the blobs that were left out because they are too large.
    private(set) var leftOut: [StateName: Int] = [:]

    init(_ state: TabState, of tab: TabMetadata, names: [StateName], maximumBytes: Int) {
        blobs[.navigation] = Self.history(state.history, of: tab, maximumBytes)
        for name in [.native] + names {
            var bytes = name == .native ? state.nativeBlob : state.extra[name]
            if let size = bytes?.count, size > maximumBytes {
                leftOut[name] = size
                bytes = nil
            }
            blobs.updateValue(bytes, forKey: name)
        }
    }

    /// Returns the history, reduced to fit: first without the states of pages, then without the
    /// entries farthest from the current one. For a tab that has not loaded its page yet, it has
    /// one entry with the address, so that the link is not lost.
    private static func history(
        _ history: NavigationHistory, of tab: TabMetadata, _ maximumBytes: Int
    ) -> [UInt8] {
        var history = history
        if history.entries.isEmpty, !tab.url.isEmpty {
            history = NavigationHistory(url: tab.url, title: tab.title, time: tab.createdAt)
        }
        var bytes = history.encoded()
        guard bytes.count > maximumBytes else { return bytes }
        for index in history.entries.indices {
            history.entries[index].pageState = []
            history.entries[index].subframes = []
        }
        bytes = history.encoded()
        var reach = history.entries.count / 2
        while bytes.count > maximumBytes, history.entries.count > 1 {
            history = history.near(reach)
            bytes = history.encoded()
            reach /= 2
        }
        return bytes
    }
}

extension NavigationHistory {
    /// Returns the current entry and up to `reach` entries before and after it.
    fileprivate func near(_ reach: Int) -> NavigationHistory {
        let current = currentIndex ?? entries.count - 1
        let range = max(0, current - reach)...min(entries.count - 1, current + reach)
        return NavigationHistory(
            entries: Array(entries[range]), currentIndex: current - range.lowerBound)
    }
}
