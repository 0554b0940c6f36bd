import BrowserModel

/// Suggestions for a partly typed address: open tabs first, then visited pages.
///
/// The service depends on ``VisitedPages``, which is therefore created before it and shut down after it.
final class AddressSuggestions: ProfileService {
    struct Suggestion: Equatable {
        var url: String
        var title: String
        var isOpen: Bool
    }

    private static let limit = 8
    private let visited: VisitedPages
    private let windows: WindowList

    init(of profile: Profile) throws {
        visited = try profile.service(VisitedPages.self)
        windows = profile.windows
    }

    /// The declaration. The service is created on first request, and never in incognito.
    static var declaration: ServiceDeclaration {
        ServiceDeclaration(AddressSuggestions.self, dependsOn: [VisitedPages.self]) {
            try AddressSuggestions(of: $0)
        }
    }

    /// Returns tabs and pages with the text in their title or address, ignoring case. Each address
    /// occurs once, the most recently used first. Returns `[]` if there are none.
    func suggestions(for text: String) -> [Suggestion] {
        let tabs = windows.flatMap(\.tabs).sorted { $0.lastActiveAt > $1.lastActiveAt }
        let open = tabs.map { Suggestion(url: $0.url, title: $0.title, isOpen: true) }
        let closed = visited.visits.map { Suggestion(url: $0.url, title: $0.title, isOpen: false) }
        var addresses: Set<String> = []
        let found = (open + closed).filter { suggestion in
            let isMeant = [suggestion.title, suggestion.url].contains {
                $0.lowercased().contains(text.lowercased())
            }
            return isMeant && addresses.insert(suggestion.url).inserted
        }
        return Array(found.prefix(Self.limit))
    }

    /// Does nothing, because the service observes nothing.
    func shutDown() {}
}
