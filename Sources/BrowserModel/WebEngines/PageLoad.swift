/// Whether a tab's page has loaded, is loading, or failed to load.
public enum PageLoad: Hashable, Sendable {
    /// Nothing is loading, and the shown page is complete.
    case none
    /// The page at the address is loading; the address is empty if unknown. Until the page arrives,
    /// the tab shows and saves what it had.
    case loading(String)
    /// The page did not arrive, or not completely. The tab keeps what it had.
    case failed(LoadFailure)
    /// The page's process ended. The tab shows its last picture, or nothing. Reloading brings the
    /// page back.
    case crashed
    /// The load turned out to be a file that is being saved. The tab keeps what it had.
    case becameDownload(String)
}

/// The reason a page could not be loaded.
public struct LoadFailure: Error, Hashable, Sendable {
    /// The address that failed to load.
    public var address: String
    /// The engine's message for the user.
    public var message: String

    /// Creates a failure with the address that failed to load and the engine's message.
    public init(address: String, message: String) {
        self.address = address
        self.message = message
    }
}

/// Makes text that a page has chosen fit to be shown and saved.
enum PageText {
    /// The maximum length of a title, in UTF-8 bytes. Users never read more.
    static let longestTitle = 4096

    /// Returns whether a quick check shows that a title needs no change.
    static func isFit(_ title: String) -> Bool {
        title.utf8.count <= longestTitle && title.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Returns the title on one line without control characters, truncated if it is too long.
    static func title(_ title: String) -> String {
        var text = String.UnicodeScalarView()
        var bytes = 0
        var isGap = false
        for scalar in title.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                isGap = !text.isEmpty
                continue
            }
            bytes += UTF8.width(scalar) + (isGap ? 1 : 0)
            guard bytes <= longestTitle else { break }
            if isGap { text.append(" ") }
            isGap = false
            text.append(scalar)
        }
        return String(text)
    }
}
