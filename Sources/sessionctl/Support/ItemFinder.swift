import ArgumentParser
import BrowserSessions

/// Finds the sessions and tabs of a store that a user names by their identifiers, or by the beginnings
/// of these.
struct ItemFinder {
    /// All sessions but notes, in the order of the store.
    let sessions: [RestoredSession]

    init(_ store: any SessionStorage) async throws(StorageError) {
        sessions = try await store.restore(store.sessions().filter { $0.kind.role != .notes })
    }

    /// Whether a word could name a session or tab, and no store: hexadecimal digits and hyphens, perhaps
    /// with a kind behind a slash. A folder of such a name is reached by `./NAME`.
    static func isItem(_ word: String) -> Bool { SessionPrefix(word) != nil }

    /// Returns what a word names. Of a window without a kind, that is its regular session.
    ///
    /// Throws `notFound` if there is none, or `invalidConfiguration` with the possible ones.
    func item(_ word: String) throws(StorageError) -> StoreItem {
        guard let prefix = SessionPrefix(word) else {
            throw StorageError(
                .invalidConfiguration,
                "'\(word)' is no session or tab; write the beginning of its identifier, as 'list' and "
                    + "'show' print it", operation: "find")
        }
        let ids = prefix.choose(among: sessions.map(\.id))
        let begin = word.uppercased().replacing("…", with: "")
        let tabs = sessions.flatMap { session in
            session.tabs.filter { "\($0.id)".hasPrefix(begin) }.map {
                StoreItem.tab($0.id, in: session.id)
            }
        }
        let found = ids.map { StoreItem.session($0) } + tabs
        if found.count == 1 { return found[0] }
        guard !found.isEmpty else {
            throw StorageError(
                .notFound,
                "the store has no session or tab that begins with '\(word)'; see 'list' and 'show'",
                operation: "find")
        }
        throw StorageError(word, mayBe: found, operation: "find")
    }
}

extension StoreItem: CustomStringConvertible {
    var description: String {
        switch self {
        case .session(let id): "session \(id)"
        case .tab(let tab, let session): "tab \(tab) of \(session)"
        }
    }
}
