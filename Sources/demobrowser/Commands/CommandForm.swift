import BackendSelection

/// One command as it is written, and how it is read.
struct CommandForm: Sendable {
    var usage: String
    var summary: String
    /// `nil` if the words are not as `usage` says.
    var read: @Sendable ([String]) -> Command?

    init(_ usage: String, _ summary: String, read: @escaping @Sendable ([String]) -> Command?) {
        self.usage = usage
        self.summary = summary
        self.read = read
    }

    /// A command without any words behind it.
    init(_ name: String, _ summary: String, _ command: Command) {
        self.init(name, summary) { $0.isEmpty ? command : nil }
    }

    var name: String { String(usage.prefix { $0 != " " }) }
}

extension Command {
    /// Reads one line; `nil` if it is empty or a remark that begins with `#`.
    static func read(_ line: String) throws(CommandError) -> Command? {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first, !name.hasPrefix("#") else { return nil }
        guard let form = CommandForm.all.first(where: { $0.name == name }) else {
            let names = CommandForm.all.map(\.name)
            throw .unknown(name, suggestion: NearestName.suggestion(for: name, among: names))
        }
        guard let command = form.read(Array(words.dropFirst())) else { throw .usage(form.usage) }
        return command
    }
}
