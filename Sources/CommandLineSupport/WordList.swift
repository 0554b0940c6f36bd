import ArgumentParser
import Foundation

/// A value of an option that takes several words: `a` or `a,b`.
///
/// Every option of the tools that can name several things takes both forms, even combined: `--group
/// SAVE,CLOSE --group CRASH`. Paths, URLs, and sentences may contain commas, so their options can
/// only be repeated.
package struct WordList: ExpressibleByArgument, Hashable, Sendable {
    package let words: [String]

    /// Creates a list; `nil` if there is no word, because an empty list must never stand for everything.
    package init?(argument: String) {
        words = argument.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        if words.isEmpty { return nil }
    }
}

extension [WordList] {
    /// All words in the order in which they were given, without duplicates.
    package var words: [String] {
        flatMap(\.words).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
