import ArgumentParser

/// What an option that takes several words was given once: `a` or `a,b`.
///
/// Every option of the tools that may name several things takes both forms, together as well:
/// `--group SAVE,CLOSE --group CRASH`. Paths, URLs and sentences may have commas, so options for
/// those are only repeated.
package struct WordList: ExpressibleByArgument, Hashable, Sendable {
    package let words: [String]

    /// `nil` if there is no word: an empty list must never be taken for everything.
    package init?(argument: String) {
        words = argument.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        if words.isEmpty { return nil }
    }
}

extension [WordList] {
    /// All words, each once, in the order in which they were given.
    package var words: [String] {
        flatMap(\.words).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
