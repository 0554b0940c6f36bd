import ArgumentParser
import BrowserSessions

/// A session as people write it: the beginning of its window's UUID, with its kind if that matters.
struct SessionPrefix: Sendable {
    private let window: String
    private let kind: SessionKind?

    /// Throws unless a session could be meant: `0C24`, `0c24a1`, `0C24/incognito`, or the whole.
    init(parsing text: String) throws {
        guard let prefix = SessionPrefix(text) else {
            throw ValidationError(
                "'\(text)' is not a session; write WINDOW-UUID/kind as 'list' does, or its beginning"
            )
        }
        self = prefix
    }

    init?(_ argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map(
            String.init)
        guard let window = parts.first?.uppercased(), parts.count <= 2, !window.isEmpty,
            window.utf8.count <= 36,
            window.utf8.allSatisfy({ Self.letters.contains($0) })
        else { return nil }
        self.window = window
        guard parts.count == 2 else {
            kind = nil
            return
        }
        guard let kind = SessionKind(rawValue: parts[1]) else { return nil }
        self.kind = kind
    }

    private static let letters = Set("0123456789ABCDEF-".utf8)

    /// The one session that is meant. Of a window with several and no kind given that is the regular one.
    ///
    /// Throws `notFound` if there is none, or `invalidConfiguration` with those that may be meant.
    func session(in store: any SessionStorage) async throws(StorageError) -> SessionID {
        let found = try await store.sessions().filter {
            $0.window.description.hasPrefix(window)
                && (kind == nil ? $0.kind.role != .notes : $0.kind == kind)
        }
        let windows = Set(found.map(\.window))
        if let one = windows.first, windows.count == 1 {
            let regular = SessionID(window: one)
            if found.count == 1 { return found[0] }
            if found.contains(regular) { return regular }
        }
        // Whole ids are asked for: a damaged store may know more than what it lists.
        if found.isEmpty, let window = WindowID(window) {
            return SessionID(window: window, kind: kind ?? .regular)
        }
        let words = window + (kind.map { "/\($0.rawValue)" } ?? "")
        guard !found.isEmpty else {
            throw StorageError(
                .notFound, "the store has no session that begins with '\(words)'; see 'list'")
        }
        let list = found.prefix(Self.longestList).map(\.description).joined(separator: ", ")
        let more =
            found.count > Self.longestList ? " and \(found.count - Self.longestList) more" : ""
        throw StorageError(
            .invalidConfiguration, "'\(words)' may be \(list)\(more): write more of it")
    }

    private static let longestList = 8
}
