/// What a line asks for.
enum Command {
    case help
    case crash
    case quit
    /// Something that the browser does.
    case action(Action)

    /// Does something, and returns the lines to show.
    typealias Action = @MainActor @Sendable (Browser) async throws -> [String]

    /// Something that shows nothing.
    static func does(
        _ work: @escaping @MainActor @Sendable (Browser) async throws -> Void
    ) -> Command {
        .action { browser in
            try await work(browser)
            return []
        }
    }
}
