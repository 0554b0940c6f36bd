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
