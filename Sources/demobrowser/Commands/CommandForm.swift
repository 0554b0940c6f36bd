import BackendSelection

/// The syntax of a command, how it is read, and what it does.
struct CommandForm: Sendable {
    var usage: String
    var summary: String
    /// Returns the command; `nil` if the words do not match `usage`.
    var read: @Sendable ([String]) -> Command?

    init(_ usage: String, _ summary: String, read: @escaping @Sendable ([String]) -> Command?) {
        self.usage = usage
        self.summary = summary
        self.read = read
    }

    /// Creates the form of a command without arguments.
    init(_ name: String, _ summary: String, _ command: Command) {
        self.init(name, summary) { $0.isEmpty ? command : nil }
    }

    var name: String { String(usage.prefix { $0 != " " }) }
}

extension Command {
    /// Reads a line; `nil` if it is empty or a comment that begins with `#`.
    static func read(_ line: String) throws(CommandMistake) -> Command? {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first, !name.hasPrefix("#") else { return nil }
        guard let form = CommandForm.all.first(where: { $0.name == name }) else {
            let near = NearestName.suggestion(for: name, among: CommandForm.all.map(\.name))
            throw CommandMistake(
                "there is no command '\(name)'" + (near.isEmpty ? ": 'help' lists all" : near))
        }
        guard let command = form.read(Array(words.dropFirst())) else {
            throw CommandMistake("write: \(form.usage)")
        }
        return command
    }
}
