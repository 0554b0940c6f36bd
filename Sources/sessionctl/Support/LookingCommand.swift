import ArgumentParser
import CommandLineSupport
import ToolSupport

/// A command that prints in the style of its arguments.
protocol FormattedCommand: AsyncParsableCommand, Sendable {
    var output: FormatArguments { get }
    /// What the user should know after an interruption; `nil` if the command ends at once then.
    var afterInterruption: String? { get }
}

extension FormattedCommand {
    /// Does the work in the style of the arguments, and in order if it is interrupted.
    fileprivate func perform(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await ConsoleStyle.$current.withValue(output.style) {
            guard let afterInterruption else { return try await work() }
            try await interruptible(Self._commandName, afterInterruption, work)
        }
    }
}

/// A command that only reads a store and changes nothing in it, whatever state the store is in.
///
/// It opens the store to ``ToolSupport/StorePurpose/look``. An interruption removes what the
/// command made, such as a partly written file, or a copy for an engine that can only open a copy.
protocol LookingCommand: FormattedCommand {
    func look() async throws
}

extension LookingCommand {
    var afterInterruption: String? { "nothing is left of it" }

    func run() async throws { try await perform(look) }
}

/// A command that changes a store or makes one, or only says what it would do.
///
/// With ``dryRun`` it opens the store to ``ToolSupport/StorePurpose/look`` and changes nothing.
protocol ChangingCommand: FormattedCommand {
    var dryRun: Bool { get }

    func change() async throws
}

extension ChangingCommand {
    /// What a command opens a store for that is there.
    var purpose: StorePurpose { dryRun ? .look : .change }

    /// Returns what was done to something, such as `removed`, or would be.
    func done(_ word: String) -> String { dryRun ? "would be \(word)" : word }

    var afterInterruption: String? { nil }

    func run() async throws { try await perform(change) }
}
