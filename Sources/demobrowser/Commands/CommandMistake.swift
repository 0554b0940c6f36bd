/// A mistake in a command, or what makes no sense now, and its correction.
struct CommandMistake: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
