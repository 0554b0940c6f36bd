/// The content of a tab, made by the ``PageServer`` or read from a file.
struct Page: Equatable {
    var title: String
    var text: [String]
    /// The addresses that the page links to.
    var links: [String] = []
}

/// The reason that there is no page at an address.
enum PageError: Error, Equatable {
    /// The browser only knows `demo:` and `file:`.
    case unknownScheme(String)
    /// The server has no such page.
    case notFound(String)
    /// The file does not exist or cannot be read.
    case unreadable(String)
}

extension PageError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownScheme(let address):
            "'\(address)' can't be opened: this browser has no network. It knows demo:welcome, "
                + "demo:page/NUMBER and file:PATH"
        case .notFound(let address):
            "there is no page '\(address)': there is demo:welcome and demo:page/NUMBER"
        case .unreadable(let path): "the file '\(path)' can't be read: is the path right?"
        }
    }
}
