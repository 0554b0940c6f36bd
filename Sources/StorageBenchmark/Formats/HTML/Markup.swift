/// Writes HTML that is well-formed XML too.
enum Markup {
    /// Text or the value of an attribute. Characters that XML does not allow become U+FFFD.
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

    /// An element around `content`, which is markup already.
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
