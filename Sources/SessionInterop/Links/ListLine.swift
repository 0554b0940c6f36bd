import Foundation

/// A line of a list as people write it.
enum ListLine: Hashable {
    struct Link: Hashable {
        var url: String
        var title = ""
        var isActive = false
        var isPinned = false
        /// Whether the address had spaces in it.
        var hadSpaces = false
        /// Whether prose may have this form. Such a line is no sign that the text is a list.
        var isLoose = false
    }

    case blank
    case comment
    case heading(level: Int, String)
    case links([Link])
    case text(String)

    /// - Parameter isMarkdown: Whether a line that begins with `#` is a heading, not a comment.
    init(_ raw: String, isMarkdown: Bool) {
        let line = raw.trimmed
        if line.isEmpty || line.count > 2 && Set(line).isSubset(of: ["-", "*", "_", "="]) {
            self = .blank
        } else if line.hasPrefix("#") {
            let marks = line.prefix { $0 == "#" }.count
            let text = String(line.dropFirst(marks)).trimmed
            self = isMarkdown ? .heading(level: marks, Self.unescaped(text)) : .comment
        } else {
            let body = Self.withoutBullet(line)
            let links = Self.markdown(body) ?? Self.link(body, raw).map { [$0] }
            self = links.map { .links($0) } ?? .text(line)
        }
    }

    /// Returns whether the line has a Markdown link.
    static func isMarkdown(_ line: String) -> Bool { markdown(withoutBullet(line.trimmed)) != nil }

    /// Returns the line without `- `, `1. `, `[ ] ` and the like.
    private static func withoutBullet(_ line: String) -> String {
        var rest = line[...]
        while rest.hasPrefix("> ") { rest = rest.dropFirst(2) }
        if let bullet = ["- ", "* ", "+ ", "• ", "– "].first(where: { rest.hasPrefix($0) }) {
            rest = rest.dropFirst(bullet.count)
        } else {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let after = rest.dropFirst(digits.count)
            if !digits.isEmpty, after.hasPrefix(". ") || after.hasPrefix(") ") {
                rest = after.dropFirst(2)
            }
        }
        for box in ["[ ] ", "[x] ", "[X] "] where rest.hasPrefix(box) { rest = rest.dropFirst(4) }
        return String(rest).trimmed
    }

    // MARK: Markdown

    private static func markdown(_ line: String) -> [Link]? {
        if line.hasPrefix("\\["), let end = line.range(of: "\\] ") {
            let title = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]
            var (url, link) = (String(line[end.upperBound...]), Link(url: ""))
            link.takeMarks(of: &url)
            (link.url, link.title) = (unescaped(url), unescaped(String(title)))
            return link.url.isEmpty ? nil : [link]
        }
        var (links, rest): ([Link], Substring) = ([], line[...])
        while rest.hasPrefix("["), let (link, after) = markdownLink(rest) {
            links.append(link)
            rest = after
            while let first = rest.first, first.isWhitespace || ",;|·".contains(first) {
                rest.removeFirst()
            }
        }
        if !links.isEmpty {
            var marks = " " + rest
            links[links.count - 1].takeMarks(of: &marks)
        }
        return links.isEmpty ? nil : links
    }

    private static func markdownLink(_ text: Substring) -> (Link, Substring)? {
        var (depth, isEscaped): (Int, Bool) = (0, false)
        let end = text.firstIndex { character in
            defer { isEscaped = character == "\\" && !isEscaped }
            guard !isEscaped, character == "[" || character == "]" else { return false }
            depth += character == "[" ? 1 : -1
            return depth == 0
        }
        guard let end, text[end...].hasPrefix("](") else { return nil }
        let title = unescaped(String(text[text.index(after: text.startIndex)..<end]))
        let rest = text[end...].dropFirst(2)
        if rest.hasPrefix("<"), let close = rest.range(of: ">)") {
            return (
                Link(url: String(rest.dropFirst()[..<close.lowerBound]), title: title),
                rest[close.upperBound...]
            )
        }
        var level = 1
        guard
            let close = rest.firstIndex(where: { character in
                level += character == "(" ? 1 : character == ")" ? -1 : 0
                return level == 0
            })
        else { return nil }
        // The text after a space is the tooltip.
        let url = rest[..<close].prefix { $0 != " " }
        guard LinkAddress.isListed(String(url)) else { return nil }
        return (Link(url: String(url), title: title), rest[close...].dropFirst())
    }

    private static func unescaped(_ text: String) -> String {
        var (result, isEscaped) = ("", false)
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            if isEscaped, !character.isASCII || character.isLetter || character.isNumber {
                result.append("\\")
            }
            result.append(character)
            isEscaped = false
        }
        return isEscaped ? result + "\\" : result
    }

    // MARK: Other forms

    private static func link(_ line: String, _ raw: String) -> Link? {
        if line.hasPrefix("<"), line.hasSuffix(">"), line.count > 2 {
            let inner = String(line.dropFirst().dropLast())
            if LinkAddress.isListed(inner) { return Link(url: inner) }
        }
        if LinkAddress.isListed(line) { return Link(url: line) }
        if raw.contains("\t") {
            let fields = raw.split(separator: "\t").map { String($0).trimmed }
                .filter { !$0.isEmpty }
            if var link = link(of: fields, joined: " ") {
                link.isLoose = fields.count > 2
                return link
            }
        }
        if line.hasPrefix("\""), line.contains("\",\"") {
            let fields = line.dropFirst().split(separator: "\",\"").map {
                String($0).trimmed.replacing("\"\"", with: "\"")
            }
            let last = fields.last.map { $0.hasSuffix("\"") ? String($0.dropLast()) : $0 }
            if let link = link(of: fields.dropLast() + [last ?? ""], joined: " ") { return link }
        }
        for mark in [" | ", " – ", " — ", " - "] where line.contains(mark) {
            let parts = line.split(separator: mark, omittingEmptySubsequences: false)
            if let link = link(of: parts.map(String.init), joined: mark) { return link }
        }
        return spaced(line)
    }

    /// Returns an address at the beginning or end of the fields, with the others as its title.
    private static func link(of fields: [String], joined mark: String) -> Link? {
        guard fields.count > 1, let first = fields.first, let last = fields.last else { return nil }
        if LinkAddress.isListed(last) {
            return Link(url: last, title: fields.dropLast().joined(separator: mark).trimmed)
        }
        guard LinkAddress.isListed(first) else { return nil }
        return Link(url: first, title: fields.dropFirst().joined(separator: mark).trimmed)
    }

    /// Returns a title and an address with a space between them, or an address that has spaces.
    private static func spaced(_ line: String) -> Link? {
        let words = line.split(separator: " ")
        guard words.count > 1, let first = words.first, let last = words.last else { return nil }
        func isWeb(_ word: Substring) -> Bool {
            word.contains("://") && LinkAddress.isListed(String(word))
        }
        if isWeb(first) {
            return Link(url: line.replacing(" ", with: "%20"), hadSpaces: true, isLoose: true)
        }
        guard isWeb(last) else { return nil }
        let title = line.dropLast(last.count).reversed().drop { " :|-–—".contains($0) }
        return Link(url: String(last), title: String(title.reversed()), isLoose: true)
    }
}

extension ListLine.Link {
    /// Takes the marks that lists of this package have after a link.
    fileprivate mutating func takeMarks(of text: inout String) {
        for (marks, active, pinned) in [
            (" (active, pinned)", true, true), (" (active)", true, false),
            (" (pinned)", false, true),
        ] where text.hasSuffix(marks) {
            text.removeLast(marks.count)
            (isActive, isPinned) = (active, pinned)
            return
        }
    }
}

extension String {
    /// The text without white space around it.
    var trimmed: String {
        guard let start = firstIndex(where: { !$0.isWhitespace }),
            let end = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...end])
    }
}
