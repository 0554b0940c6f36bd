import BrowserSessions

/// A writer of HTML that is also well-formed XML.
enum Markup {
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
        attributes.map { " \($0.key)=\"\($0.value.escapedForXML)\"" }.joined()
    }
}
