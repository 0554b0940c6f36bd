/// A writer of HTML that is also well-formed XML.
enum Markup {
    /// Escapes text or an attribute value. Characters that XML does not allow become U+FFFD.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += " "
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns an element that contains `content`, which is already markup.
    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String
    ) -> String {
        "<\(name)\(text(of: attributes))>\(content)</\(name)>"
    }

    static func element(_ name: String, _ content: String) -> String {
        element(name, [:], content)
    }

    static func empty(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) -> String {
        "<\(name)\(text(of: attributes)) />"
    }

    private static func text(of attributes: KeyValuePairs<String, String>) -> String {
        attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    }
}
