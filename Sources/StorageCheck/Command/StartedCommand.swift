import ArgumentParser
import StorageConformance

/// The internal commands, which do a case or part of it in a process of their own. They are no subcommands, and their
/// arguments are pairs of an option and a value, which only this program writes: the parser takes as long as a case.
enum StartedCommand {
    static let name = "child"

    /// Returns the harness of what this process does; `nil` for any other command. Throws if a person typed it.
    static func harness(_ words: [String], _ context: CheckContext) throws
        -> (any StorageHarness)?
    {
        guard words.first == name else { return nil }
        guard ConformanceChild.isChild else {
            throw ValidationError("this is for \(Program.name) itself")
        }
        var options: [String: String] = [:]
        for (option, value) in zip(words.dropFirst(), words.dropFirst(2)) {
            options[option] = value
        }
        if let faulty = options["--mutant"], let folder = options["--folder"] {
            return FaultyBackend.harness(
                named: faulty, over: try FaultyArguments.harness(faulty, in: folder))
        }
        return try CheckedStore(
            options["--storage"], configurationFile: options["--config"], context
        ).harness()
    }
}
