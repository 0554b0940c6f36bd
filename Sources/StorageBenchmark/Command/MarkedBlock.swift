import CommandLineSupport

/// A block of lines between two marks in a text. Each mark is alone on its line and occurs once.
enum MarkedBlock {
    static let begin = "<!-- storagebench:begin -->"
    static let end = "<!-- storagebench:end -->"

    /// Returns the text with `block` between its marks.
    static func replaced(in text: String, with block: String) throws(CommandError) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let marks = [begin, end].map { mark in lines.indices.filter { lines[$0] == mark } }
        guard marks.allSatisfy({ $0.count == 1 }), marks[0][0] < marks[1][0] else {
            throw CommandError(
                message: "it needs one line '\(begin)' and below it one line '\(end)'")
        }
        lines.replaceSubrange(marks[0][0] + 1..<marks[1][0], with: [Substring(block)])
        return lines.joined(separator: "\n")
    }
}
