import BrowserModel

/// What a user may mean who begins to write: open tabs first, then pages that were visited.
///
/// It depends on ``VisitedPages``, which therefore is made before and shut down after it.
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

    /// Made when somebody asks for it first. There is none off the record.
    static var declaration: ServiceDeclaration {
        ServiceDeclaration(AddressSuggestions.self, dependsOn: [VisitedPages.self]) {
            try AddressSuggestions(of: $0)
        }
    }

    /// Those with the text in their title or address, upper case or lower; each address once, the
    /// one used last first; `[]` if there is none.
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

    /// It listens to nobody, so there is nothing to end.
    func shutDown() {}
}
