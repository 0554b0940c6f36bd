import ArgumentParser

/// The entire command line.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Program.name,
        abstract: "Checks session storage against the conformance suite.",
        discussion: """
            Each case runs in a process of its own: one that hangs, traps or exits fails that case \
            alone. Reports go to standard output or to files, progress to standard error. Lists are \
            given with commas or by repeating the option; paths, URLs and cases by repeating it.

            Exit codes: 0 conformant, or all that was chosen holds; 1 a violation; 2 no violation, \
            but failures were expected (--baseline) or what was asked for could not be tried; 3 the \
            harness or the machine is at fault; 64 the command line is wrong.
            """,
        version: Program.version,
        subcommands: [
            RunCommand.self, ListCommand.self, VerifySuiteCommand.self, ReplayCommand.self,
            InitCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}

/// Former options that are now subcommands. Using one prints a hint.
struct FormerOptions: ParsableArguments {
    @Flag(name: .customLong("list"), help: .hidden) private var list = false
    @Flag(name: .customLong("verify-suite"), help: .hidden) private var verifySuite = false
    @Option(name: .customLong("replay"), help: .hidden) private var replay: String?

    func validate() throws {
        let command: String? =
            if list { "list" } else if verifySuite { "verify-suite" } else {
                replay.map { "replay \($0)" }
            }
        guard let command else { return }
        let option = command.prefix { $0 != " " }
        throw ValidationError(
            "'--\(option)' is a subcommand, not an option: \(Program.name) \(command)")
    }
}
