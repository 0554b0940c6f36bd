import ArgumentParser
import BrowserSessions

/// A session as a user names it: a prefix of its window's UUID, with its kind if needed.
struct SessionPrefix: Sendable {
    private let window: String
    private let kind: SessionKind?
    /// The prefix of a kind that was cut off.
    private var beginOfKind: String?

    /// Throws unless the text could name a session: `0C24`, `0c24a1`, `0C24/incognito`, or a full identifier.
    init(parsing text: String) throws {
        guard let prefix = SessionPrefix(text) else {
            throw ValidationError(
                "'\(text)' is not a session; write WINDOW-UUID/kind as 'list' does, or its beginning"
            )
        }
        self = prefix
    }

    init?(_ argument: String) {
        // A narrow terminal shows a cut identifier.
        let isCut = argument.hasSuffix("…")
        let parts = argument.dropLast(isCut ? 1 : 0)
            .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let window = parts.first?.uppercased(), parts.count <= 2, !window.isEmpty,
            window.utf8.count <= 36,
            window.utf8.allSatisfy({ Self.letters.contains($0) })
        else { return nil }
        self.window = window
        guard parts.count == 2 else {
            kind = nil
            return
        }
        if isCut {
            kind = nil
            beginOfKind = parts[1]
            return
        }
        guard let kind = SessionKind(rawValue: parts[1]) else { return nil }
        self.kind = kind
    }

    private static let letters = Set("0123456789ABCDEF-".utf8)

    /// Returns the session that the text names. Without a kind, prefers the window's regular session.
    ///
    /// Throws `notFound` if there is none, or `invalidConfiguration` with the possible sessions.
    func session(in store: any SessionStorage, at version: SessionVersion = .current)
        async throws(StorageError) -> SessionID
    {
        let found = choose(among: try await store.sessions(at: version))
        if found.count == 1 { return found[0] }
        // Tries a whole ID directly, because a damaged store may have more sessions than it lists.
        if found.isEmpty, let window = WindowID(window) {
            return SessionID(window: window, kind: kind ?? .regular)
        }
        let words = window + (kind.map { "/\($0.rawValue)" } ?? "")
        guard !found.isEmpty else {
            throw StorageError(
                .notFound, "the store has no session that begins with '\(words)'; see 'list'")
        }
        throw StorageError(words, mayBe: found)
    }

    /// Returns the sessions that the text may name; a window's regular session stands for all of that
    /// window if the text has no kind.
    func choose(among sessions: [SessionID]) -> [SessionID] {
        let found = sessions.filter {
            $0.window.description.hasPrefix(window)
                && (kind == nil ? $0.kind.role != .notes : $0.kind == kind)
                && (beginOfKind.map($0.kind.rawValue.hasPrefix) ?? true)
        }
        let windows = Set(found.map(\.window))
        guard let one = windows.first, windows.count == 1 else { return found }
        let regular = SessionID(window: one)
        return found.contains(regular) ? [regular] : found
    }

    /// Returns the shortest identifiers that still name one of these sessions each.
    static func shortest(of sessions: [String]) -> [String] {
        let parts = sessions.map { $0.split(separator: "/", maxSplits: 1).map(String.init) }
        let windows = Dictionary(grouping: parts, by: { $0[0] })
        let length =
            (shortestPrefix...36).first { length in
                Set(windows.keys.map { $0.prefix(length) }).count == windows.count
            } ?? 36
        return parts.map { part in
            let isAlone = windows[part[0]]?.count == 1
            let isRegular = part.last == SessionKind.regular.rawValue
            return part[0].prefix(length) + (isAlone || isRegular ? "" : "/\(part.last ?? "")")
        }
    }

    private static let shortestPrefix = 8
}

extension StorageError {
    /// The refusal of a word that may name several things, with the first of them.
    init(_ word: String, mayBe found: [some CustomStringConvertible], operation: String = "") {
        let list = found.prefix(8).map(\.description).joined(separator: ", ")
        let more = found.count > 8 ? " and \(found.count - 8) more" : ""
        self.init(
            .invalidConfiguration, "'\(word)' may be \(list)\(more): write more of it",
            operation: operation)
    }
}
