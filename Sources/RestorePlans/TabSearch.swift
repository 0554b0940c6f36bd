public import BrowserSessions

/// A search for tabs by words, as people type them.
///
/// Each word has to be in the title, the name or the address of a tab, in any order. Case, accents and the
/// width of letters make no difference: `uber` finds `Über`, and `ｔａｂ` finds `tab`.
public struct TabSearch: Sendable {
    /// The folded words; `[]` if the text has none.
    private let words: [[UInt8]]

    /// Creates a search. Text without words finds nothing.
    ///
    /// - Parameter text: the words, with white space between them.
    public init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace)
            .map { TextFolding.folded(String($0)) }.filter { !$0.isEmpty }
    }

    /// Whether the text has no words, so that the search finds nothing.
    public var isEmpty: Bool { words.isEmpty }

    /// Whether the search finds a tab.
    public func finds(_ tab: TabMetadata) -> Bool {
        finds(in: tab.title, tab.url, tab.rare == nil ? "" : tab.name)
    }

    /// Whether each word is in one of the texts.
    package func finds(in texts: String...) -> Bool {
        guard !words.isEmpty else { return false }
        var missing = words[...]
        for text in texts where !missing.isEmpty {
            TextFolding.withFolded(text) { folded in
                missing = missing.filter { !folded.contains($0) }[...]
            }
        }
        return missing.isEmpty
    }
}
