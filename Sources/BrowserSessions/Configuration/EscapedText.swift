// Titles, names, errors and reports inside the text of a page. What they contain must not become a
// part of the page.

extension StringProtocol {
    /// The text in one line of Markdown, in which neither Markdown nor HTML has a meaning. Line ends
    /// and other control characters become spaces.
    ///
    /// - Parameters:
    ///   - kept: characters that keep their meaning.
    ///   - usesEntities: whether entities of HTML replace `<` and `&`, so that a page contains no
    ///     comment that another program could look for. Otherwise a backslash precedes them, as
    ///     it precedes all other characters with a meaning.
    package func escapedForMarkdown(
        keeping kept: String = "", usingEntities usesEntities: Bool = true
    ) -> String {
        unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case _ where kept.unicodeScalars.contains(scalar):
                result.unicodeScalars.append(scalar)
            case "<" where usesEntities, "&" where usesEntities: result += scalar.escapedForMarkup
            case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "&", "~":
                result += "\\\(scalar)"
            case "\0"..<" ", "\u{7F}", "\u{2028}", "\u{2029}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text between tags of XML, or in an attribute. It is valid in HTML, too. Line ends stay;
    /// characters that XML 1.0 cannot hold become U+FFFD.
    package var escapedForXML: String {
        unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result += scalar.escapedForMarkup
            }
        }
    }
}

extension Unicode.Scalar {
    /// The character in a form that has no meaning in HTML and XML.
    package var escapedForMarkup: String {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: String(self)
        }
    }
}
