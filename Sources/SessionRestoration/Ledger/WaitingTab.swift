import BrowserModel
import BrowserSessions

/// What the store shall have of a tab and has not acknowledged yet.
struct WaitingTab {
    enum Wish {
        /// In the session, as the tab is when it is sent.
        case live(Tab, in: SessionID)
        /// In the session, as it was when it was taken.
        case taken(TabMetadata, in: SessionID)
        case gone
    }

    var wish: Wish
    /// Another number after each change.
    var version: Int
    /// Whether the live tab's state is to be looked at.
    var isStateDue = false
    /// Blobs that were taken, by name; `nil` removes one. What is in the store already is none of them.
    var blobs: [StateName: [UInt8]?] = [:]
    /// What the store did not take of this version.
    var refusal = Refusal()

    /// What is left out of a tab because the store refused it.
    struct Refusal {
        /// Blobs that it does not take, as they are.
        var blobs: [StateName: BlobDigest] = [:]
        /// Everything but where the tab is and what it shows.
        var details = false
        /// Even that.
        var whole = false
        /// Everything else of this version was acknowledged, or there is nothing else.
        var isAllThatWaits = false
        /// Why; `nil` if nothing was refused.
        var error: StorageError?

        /// What is known after the tab has changed: the same blob is not asked for again.
        var afterChange: Refusal {
            Refusal(blobs: blobs, error: blobs.isEmpty ? nil : error)
        }
    }

    /// Whether something of this version is left out.
    var isRefused: Bool {
        refusal.whole || refusal.details
            || blobs.contains { refusal.blobs[$0.key] == BlobDigest($0.value) }
    }

    /// Where it shall be; `nil` if nowhere.
    var session: SessionID? {
        switch wish {
        case .live(_, let session), .taken(_, let session): session
        case .gone: nil
        }
    }
}

extension TabMetadata {
    private static let longestURL = 64 * 1024
    private static let longestTitle = 8 * 1024

    /// With an address and a title that are not longer than a list of tabs can use: `data:`
    /// addresses may have megabytes. The history keeps them whole.
    var shortened: TabMetadata {
        guard url.utf8.count > Self.longestURL || title.utf8.count > Self.longestTitle else {
            return self
        }
        return cut(url: Self.longestURL, title: Self.longestTitle)
    }

    /// As little as distinguishes the tab, and how it was closed: what any store takes.
    var lean: TabMetadata {
        var copy = cut(url: 2048, title: 256)
        copy.properties = properties.filter {
            SavedProperty.isOwn($0.key) && $0.key.utf8.count + $0.value.utf8.count <= 512
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
