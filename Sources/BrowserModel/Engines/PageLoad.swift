/// Whether a tab's page is there, comes, or does not come.
public enum PageLoad: Hashable, Sendable {
    /// Nothing is being loaded: what is shown is complete.
    case none
    /// The page at the address is being loaded; empty if the address is not known. Until it arrives, the
    /// tab shows and saves what it had.
    case loading(String)
    /// The page did not arrive, or not whole. The tab has what it had before.
    case failed(LoadFailure)
    /// The page's process has ended: what is shown is its last picture, or nothing. Loading it again
    /// brings it back.
    case crashed
    /// What was loaded was no page but a file that is being saved. The tab has what it had before.
    case becameDownload(String)
}

/// Why a page could not be loaded.
public struct LoadFailure: Error, Hashable, Sendable {
    /// What was to be loaded.
    public var address: String
    /// In the words of the engine, for the user.
    public var message: String

    public init(address: String, message: String) {
        self.address = address
        self.message = message
    }
}

/// Text that a page has chosen, made fit to be shown and saved.
enum PageText {
    /// More of a title nobody reads. It is counted in UTF-8.
    static let longestTitle = 4096

    /// Whether nothing of a title has to be changed, as far as can be told quickly.
    static func isFit(_ title: String) -> Bool {
        title.utf8.count <= longestTitle && title.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// The title in one line without controls, cut where it is too long.
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
