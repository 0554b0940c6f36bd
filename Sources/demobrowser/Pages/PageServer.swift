import Foundation

/// The source of this browser's pages. It makes them in the process, without a network or a real
/// web engine. It reads `file:` addresses from the disk.
struct PageServer {
    /// The address of the page that new windows show.
    static let welcome = "demo:welcome"
    private static let longestFile = 1 << 20

    func page(at address: String) throws(CommandMistake) -> Page {
        if address.hasPrefix("demo:") { return try ownPage(address) }
        if address.hasPrefix("file:") { return try file(address) }
        throw CommandMistake(
            "'\(address)' can't be opened: this browser has no network. It knows demo:welcome, "
                + "demo:page/NUMBER and file:PATH")
    }

    private func ownPage(_ address: String) throws(CommandMistake) -> Page {
        if address == Self.welcome {
            return Page(
                title: "Welcome",
                text: ["This page was made by the browser itself.", "Try: open demo:page/7"],
                links: ["demo:page/1", "demo:page/7"])
        }
        let prefix = "demo:page/"
        guard address.hasPrefix(prefix), let number = Int(address.dropFirst(prefix.count)),
            (0...1_000_000).contains(number)
        else {
            throw CommandMistake(
                "there is no page '\(address)': there is demo:welcome and demo:page/NUMBER")
        }
        return Page(
            title: "Page \(number)",
            text: (1...5).map { "Line \($0) of page \(number)." },
            links: [prefix + "\(number + 1)", prefix + "\(number * 2)", Self.welcome])
    }

    /// Returns a page of a file's lines. Its title is the HTML title, the first line with text, or the path.
    private func file(_ address: String) throws(CommandMistake) -> Page {
        let path = URL(string: address)?.path(percentEncoded: false) ?? ""
        let unreadable = CommandMistake(
            "the file '\(path.isEmpty ? address : path)' can't be read: is the path right?")
        guard !path.isEmpty, let handle = FileHandle(forReadingAtPath: path) else {
            throw unreadable
        }
        defer { try? handle.close() }
        let data: Data
        do { data = try handle.read(upToCount: Self.longestFile) ?? Data() } catch {
            throw unreadable
        }
        let text = String(decoding: data, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let first = lines.first { !$0.allSatisfy(\.isWhitespace) }
        let title = Self.htmlTitle(text) ?? first ?? path
        return Page(title: title.trimmingCharacters(in: .whitespaces), text: lines)
    }

    private static func htmlTitle(_ text: String) -> String? {
        guard let start = text.range(of: "<title>", options: .caseInsensitive),
            let end = text.range(
                of: "</title>", options: .caseInsensitive, range: start.upperBound..<text.endIndex)
        else { return nil }
        let title = text[start.upperBound..<end.lowerBound]
        return title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
